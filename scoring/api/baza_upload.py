#!/usr/bin/env python3
"""Send result files of a club to Baza: one file, or every file that appears in a folder.

    BAZA_TOKEN=baza_… python3 baza_upload.py --server https://example.org --club C0001 tuesday.xml
    python3 baza_upload.py --server https://example.org --club C0001 --token-file token.txt --watch C:\\Club

It needs Python 3.8 or newer and nothing else. The token comes from a file or from the variable BAZA_TOKEN;
other users of the computer can see the command line, and so a token after --token. Sending a file twice gives
the same upload, so the script tries again as long as the server cannot be reached.

Exit status: 0 sent, nothing is missing; 1 sent, a director has to look at it; 2 wrong arguments; 3 refused by
the server; 4 the server could not be reached.
"""

import argparse
import codecs
import errno
import fnmatch
import hashlib
import json
import locale
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

SENT, LOOK, USAGE, REFUSED, UNREACHABLE = range(5)
LONGEST_DELAY = 300  # seconds
REFUSED_DELAY, LONGEST_REFUSED_DELAY = 3600, 86400  # seconds until a folder sends a refused file again
TIMEOUT = 120  # seconds to wait for an answer
MOST_BYTES = 64 * 1024 * 1024
AGAIN = (408, 425, 429)  # the request may succeed later after these statuses, and after any 5xx
STATE_NAME = ".baza_sent.json"
# What the site reads, except texts (*.txt): many programs write notes and logs with that name.
ENDINGS = ("xml", "usebio", "pbn", "bws", "mdb", "csv", "tsv", "ods", "xls", "xlsx", "xlsm")
PATTERNS = tuple("*." + ending for ending in ENDINGS)
PARTIAL = (".tmp", ".part", ".partial", ".crdownload", ".ldb", ".laccdb", ".lock")
LOOPBACK = ("localhost", "127.0.0.1", "::1")

TEXTS = {
    "sent": ("%s: enviado. Termínalo aquí: %s", "%s: sent. Finish it here: %s"),
    "ready": ("Nada lo impide: falta confirmarlo.", "Nothing blocks it: it has to be confirmed."),
    "confirmed": ("%s: enviado y confirmado. %s", "%s: sent and confirmed. %s"),
    "refused": ("%s: recibido, pero no se pudo leer. %s", "%s: received, but it could not be read. %s"),
    "discarded": ("%s: ya se envió y se descartó. %s", "%s: was sent before and discarded. %s"),
    "line": (", línea %s", ", line %s"),
    "error": ("error", "error"),
    "warning": ("aviso", "warning"),
    "info": ("nota", "note"),
    "rejected": ("%s: el servidor no lo acepta: %s", "%s: the server does not accept it: %s"),
    "waiting": ("Sin conexión (%s): nuevo intento en %d s.", "No connection (%s): next attempt in %d s."),
    "unreachable": ("%s: no se pudo enviar: %s", "%s: could not be sent: %s"),
    "again": (
        "%s: nuevo intento dentro de %d h, o antes si cambia el archivo o si se reinicia el programa.",
        "%s: next attempt in %d h, or earlier if the file changes or the script is restarted.",
    ),
    "too_large": ("el archivo es demasiado grande", "the file is too large"),
    "watching": ("Vigilando %s. Ctrl-C para terminar.", "Watching %s. Ctrl-C to stop."),
    "bad_state": ("%s está dañado y se empieza de nuevo.", "%s is damaged and is begun again."),
    "no_token": (
        "Falta la clave: BAZA_TOKEN, --token-file o --token.",
        "The token is missing: BAZA_TOKEN, --token-file or --token.",
    ),
    "bad_token": (
        "Tras --token falta una clave. Empieza por baza_.",
        "There is no token after --token. It begins with baza_.",
    ),
    "no_token_file": (
        "No se puede leer el archivo de la clave, %s.",
        "The file with the token, %s, cannot be read.",
    ),
    "bad_token_file": (
        "%s no contiene una clave. Guarda en él solo la clave, que empieza por baza_.",
        "%s has no token. Save the token alone in it; it begins with baza_.",
    ),
    "one_of_both": ("indica un archivo o --watch", "give a file or --watch"),
    "not_a_field": ("%r no es CAMPO=VALOR", "%r is not FIELD=VALUE"),
    "no_tls": ("La dirección tiene que empezar por https://.", "The address has to begin with https://."),
    "no_file": ("No se puede leer %s.", "%s cannot be read."),
}


class Refusal(Exception):
    """The server refused a request, and would refuse it again."""


class Unreachable(Exception):
    """The server could not be reached in any of the attempts. `wait`: seconds until the next one."""

    def __init__(self, reason, wait):
        super().__init__(str(reason))
        self.wait = wait


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follow no redirection, which could carry the token to another server."""

    def redirect_request(self, *args, **kwargs):
        return None


class Sender:
    """Send files to one club, and say what became of them.

    fields: the tournament's data that are sent with each file: name of the form's field -> text
    confirm: whether to confirm uploads without errors and without warnings to tick
    attempts: how often to try a request
    delay: seconds before the second attempt; the delay doubles each time
    language: "es" or "en"
    """

    def __init__(
        self, server, club, token, fields=None, confirm=False, attempts=8, delay=2, language="es", say=print
    ):
        self.base = "{}/api/v1/clubs/{}/uploads".format(server.rstrip("/"), urllib.parse.quote(club, safe=""))
        self.token, self.fields, self.confirm = token, dict(fields or {}), confirm
        self.attempts, self.delay = attempts, delay
        self.language, self.say = language, say
        # The default handlers verify certificates against those that the computer trusts.
        self.opener = urllib.request.build_opener(NoRedirects)

    def text(self, key, *values):
        """Return a text of `TEXTS` in the language, with its values and without a token."""
        text = TEXTS[key][self.language != "es"]
        return without_token(text % values) if values else text

    def send(self, name, data):
        """Send a file. Return the server's document about it. Raises Refusal and Unreachable."""
        if len(data) > MOST_BYTES:
            raise Refusal(self.text("too_large"))
        boundary = uuid.uuid4().hex
        headers = {
            "Content-Type": "multipart/form-data; boundary=" + boundary,
            "Idempotency-Key": hashlib.sha256(data + json.dumps(self.fields).encode()).hexdigest(),
        }
        body = form_of(boundary, self.fields, name, data)
        document = self.request("POST", self.base, body, headers)
        if self.confirm and document["state"] == "review" and document["summary"]["ready"]:
            document = self.request("POST", "{}/{}/confirm".format(self.base, document["id"]), b"", {})
        return document

    def request(self, method, url, body, headers):
        """Return the JSON document with which the server answers, after as many attempts as it takes."""
        delay, attempt = self.delay, 0
        while True:
            attempt += 1
            try:
                return self.request_once(method, url, body, headers)
            except urllib.error.HTTPError as error:
                code, reason = read_problem(error)
                if error.code not in AGAIN and error.code < 500 and code != "body_incomplete":
                    raise Refusal(reason) from error
                wait = max(delay, asked_wait(error))
            except (OSError, ValueError, urllib.error.URLError) as error:
                reason, wait = getattr(error, "reason", None) or error, delay
            if attempt >= self.attempts:
                raise Unreachable(reason, wait)
            self.say(self.text("waiting", reason, wait))
            time.sleep(wait)
            delay = min(2 * delay, LONGEST_DELAY)

    def request_once(self, method, url, body, headers):
        own = {"Authorization": "Bearer " + self.token, "Accept-Language": self.language}
        # `run` accepts only https, and http on this computer.
        request = urllib.request.Request(  # noqa: S310
            url, data=body, method=method, headers={**headers, **own}
        )
        with self.opener.open(request, timeout=TIMEOUT) as answer:
            document = json.loads(answer.read().decode("utf-8"))
        if not (isinstance(document, dict) and "state" in document):
            raise ValueError("this is not Baza")
        return document

    def report(self, name, document):
        """Say what became of a file. Return the exit status."""
        key = document["state"] if document["state"] in ("confirmed", "refused", "discarded") else "sent"
        self.say(self.text(key, name, document["review_url"]))
        for issue in document["issues"]:
            line = self.text("line", issue["line"]) if issue["line"] else ""
            words = "{} {}".format(issue["message"], issue["remedy"])
            self.say("  {}{}: {}".format(self.text(issue["severity"]), line, words.strip()))
        if document["state"] == "confirmed":
            return SENT
        if document["state"] == "review" and document["summary"]["ready"]:
            self.say("  " + self.text("ready"))
            return SENT
        return LOOK

    def send_and_report(self, name, data):
        """Send a file and say what became of it. Return the exit status. Raises Unreachable."""
        try:
            return self.report(name, self.send(name, data))
        except Refusal as error:
            self.say(self.text("rejected", name, error))
            return REFUSED


def form_of(boundary, fields, name, data):
    """Return the body of a form with fields and a file, as bytes."""
    parts = [(f'name="{field}"', value.encode("utf-8")) for field, value in fields.items()]
    file_name = name.replace('"', "%22").replace("\r", "").replace("\n", "")
    parts.append((f'name="file"; filename="{file_name}"', data))
    body = b""
    for head, content in parts:
        body += f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


def read_problem(error):
    """Return the code and the text of the problem in an error answer; "" and the HTTP status without one."""
    try:
        problem = json.loads(error.read().decode("utf-8"))
        details = ["{}: {}".format(item["field"], item["message"]) for item in problem["errors"]]
        return problem["code"], " ".join([problem["detail"], problem["remedy"], *details]).strip()
    except (OSError, ValueError, KeyError, TypeError):
        return "", f"HTTP {error.code}"  # the answer of a proxy, for example


def asked_wait(error):
    """Return the seconds of the header Retry-After of an error answer; 0 if it has none."""
    text = error.headers.get("Retry-After", "")
    return int(text) if text.isdigit() else 0


class Folder:
    """A folder whose files are sent once they have not changed for some time.

    The state file keeps the digests of the files that the server has answered about, and the time of the
    first start: older files are not sent.
    """

    def __init__(self, path, sender, state=None, quiet=60, everything=False, patterns=None):
        self.path, self.sender, self.quiet, self.everything = Path(path), sender, quiet, everything
        self.patterns = [pattern.lower() for pattern in patterns or PATTERNS]
        self.state_path = Path(state) if state else self.path / STATE_NAME
        self.state = self.load()
        self.seen = {}  # name -> (size, time of change), time since when it has been so
        self.done = {}  # name -> (size, time of change) of what needs no more attention
        self.later = {}  # name -> (time of the next attempt, seconds that it was delayed)

    def load(self):
        try:
            state = json.loads(self.state_path.read_text(encoding="utf-8"))
            return {"since": float(state["since"]), "sent": dict(state["sent"])}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError):
            self.sender.say(self.sender.text("bad_state", self.state_path))
        return {"since": time.time(), "sent": {}}

    def save(self):
        """Write the state file so that an interruption leaves the old or the new one."""
        partial = self.state_path.with_name(self.state_path.name + ".tmp")
        partial.write_text(json.dumps(self.state), encoding="utf-8")
        os.replace(str(partial), str(self.state_path))

    def files(self):
        """Yield (path, (size, time of change)) of the files to consider."""
        for entry in sorted(self.path.iterdir()):
            if (
                entry.name.startswith((".", "~"))
                or entry.suffix.lower() in PARTIAL
                or entry == self.state_path
                or not any(fnmatch.fnmatchcase(entry.name.lower(), pattern) for pattern in self.patterns)
            ):
                continue
            if entry.with_suffix(".ldb").exists() or entry.with_suffix(".laccdb").exists():
                continue  # a database that a program has open
            try:
                known = entry.stat()
                if entry.is_file() and known.st_size:
                    yield entry, (known.st_size, known.st_mtime)
            except OSError:
                continue  # the file was deleted or moved after the folder was listed

    def look(self):
        """Send the files that have not changed for the time `quiet`."""
        now = time.monotonic()
        for path, version in self.files():
            if not self.everything and version[1] < self.state["since"]:
                continue
            if self.done.get(path.name) == version:
                continue
            if self.seen.get(path.name, (None, 0))[0] != version:
                self.seen[path.name] = (version, now)
                self.later.pop(path.name, None)
            quiet = now - self.seen[path.name][1] >= self.quiet
            if quiet and now >= self.later.get(path.name, (0, 0))[0]:
                self.send(path, version)

    def send(self, path, version):
        """Send a file unless it was sent before.

        If the server refuses it or cannot be reached, delay the next attempt. A refused file is tried again,
        because the server may accept it later, for example once a new token or another club is set.
        """
        try:
            data = path.read_bytes()
        except OSError:
            return  # a program still holds it; the next look tries again
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self.state["sent"]:
            try:
                status = self.sender.send_and_report(path.name, data)
            except Unreachable as error:
                wait = self.delay(path.name, error.wait, LONGEST_DELAY)
                self.sender.say(self.sender.text("waiting", error, wait))
                return
            if status == REFUSED:
                wait = self.delay(path.name, REFUSED_DELAY, LONGEST_REFUSED_DELAY)
                self.sender.say(self.sender.text("again", path.name, wait // 3600))
                return
            self.state["sent"][digest] = path.name
            self.save()
        self.done[path.name] = version

    def delay(self, name, shortest, longest):
        """Delay the next attempt to send a file, twice as long as the one before. Return the seconds."""
        wait = max(min(2 * self.later.get(name, (0, 0))[1], longest), shortest)
        self.later[name] = (time.monotonic() + wait, wait)
        return wait

    def watch(self, every):
        """Look for new files for ever."""
        self.save()
        self.sender.say(self.sender.text("watching", self.path))
        while True:
            self.look()
            time.sleep(every)


HELP = {
    "about": (
        """Envía a Baza los resultados de un club: un archivo, o cada archivo que aparece en una carpeta.

    BAZA_TOKEN=baza_… python3 baza_upload.py --server https://example.org --club C0001 martes.xml
    python3 baza_upload.py --server https://example.org --club C0001 --token-file clave.txt --watch C:\\Club

Necesita Python 3.8 o posterior y nada más. La clave está en un archivo o en la variable BAZA_TOKEN; los demás
usuarios del ordenador pueden ver la línea de órdenes y, con ella, una clave escrita tras --token. Un archivo
enviado dos veces cuenta una vez.

Al acabar devuelve: 0 enviado, no falta nada; 1 enviado, un director tiene que mirarlo; 2 argumentos
incorrectos; 3 el servidor no lo acepta; 4 no se pudo llegar al servidor.
""",
        __doc__,
    ),
    "arguments": ("Argumentos", "Arguments"),
    "usage": ("Uso: ", "Usage: "),
    "-h": ("muestra esta ayuda y termina", "show this help and end"),
    "--server": ("la dirección del sitio, con https://", "the address of the site, with https://"),
    "file": ("el archivo que se envía", "the file to send"),
    "--club": ("el código del club", "the club's code"),
    "--token-file": (
        "archivo con la clave; si no, la variable BAZA_TOKEN",
        "a file with the token; otherwise the variable BAZA_TOKEN",
    ),
    "--token": (
        "la clave misma, que los demás usuarios del ordenador pueden ver; mejor --token-file",
        "the token itself, which other users of the computer can see; --token-file is better",
    ),
    "--set": (
        "un dato del torneo que ningún archivo trae, por ejemplo event_type=pool; se puede repetir",
        "data of the tournament that no file has, for example event_type=pool; may be repeated",
    ),
    "--confirm": ("confirma lo que no tiene problemas", "confirm what has no problems"),
    "--watch": ("envía cada archivo nuevo de una carpeta", "send every new file of a folder"),
    "--pattern": (
        "nombres de los archivos que se envían, por ejemplo *.txt; se puede repetir (si no: {})",
        "names of the files to send, for example *.txt; may be repeated (default: {})",
    ),
    "--every": ("segundos entre dos comprobaciones de la carpeta", "seconds between two looks at the folder"),
    "--quiet": (
        "segundos que un archivo tiene que llevar sin cambiar",
        "seconds that a file must not have changed",
    ),
    "--all": ("también los archivos anteriores al primer inicio", "also files from before the first start"),
    "--state": (
        "dónde se apunta lo enviado (si no: en la carpeta)",
        "where to keep what was sent (default: in the folder)",
    ),
    "--attempts": (
        "intentos con un archivo; con una carpeta no hay límite",
        "attempts for one file; a folder has no limit",
    ),
    "--delay": ("segundos antes del segundo intento", "seconds before the second attempt"),
    "--language": (
        "el idioma de los mensajes (si no: el del ordenador)",
        "of the messages (default: the computer's)",
    ),
}


def computer_language():
    """Return "en" if the computer's language is English; otherwise "es", the language of most users."""
    names = [os.environ.get(variable) for variable in ("LC_ALL", "LC_MESSAGES", "LANG")]
    name = next(filter(None, names), "")
    if not name:  # Windows has its own setting
        try:
            locale.setlocale(locale.LC_CTYPE, "")
            name = locale.getlocale(locale.LC_CTYPE)[0] or ""
        except (locale.Error, ValueError):
            return "es"
    return "en" if name.lower().startswith("en") else "es"


def add_arguments(parser, language="en"):
    """Add the arguments of the script, which `manage.py upload` takes as well."""

    def add(*names, **options):
        text = HELP[names[0]][language != "es"].replace("{}", " ".join(PATTERNS).replace("%", "%%"))
        parser.add_argument(*names, help=text, **options)

    add("file", nargs="?")
    add("--club", required=True)
    add("--token-file")
    add("--token")
    add("--set", action="append", default=[], type=field_reader(language), metavar="FIELD=VALUE")
    add("--confirm", action="store_true")
    add("--watch", metavar="FOLDER")
    add("--pattern", action="append", metavar="PATTERN")
    add("--every", type=float, default=5)
    add("--quiet", type=float, default=60)
    add("--all", action="store_true")
    add("--state")
    add("--attempts", type=int, default=8)
    add("--delay", type=float, default=2)
    add("--language", choices=["es", "en"], default=language)


def field_reader(language):
    """Return a function that returns (name, value) of an argument FIELD=VALUE."""

    def field_of(text):
        name, equals, value = text.partition("=")
        if not (equals and name.isidentifier()):
            raise argparse.ArgumentTypeError(TEXTS["not_a_field"][language != "es"] % text)
        return name, value

    return field_of


def run(options, say=print):
    """Send what the options say. Return the exit status."""
    attempts = 1 if options.watch else options.attempts  # a folder looks again by itself
    token, fault = token_of(options.token_file, options.token)
    sender = Sender(
        options.server,
        options.club,
        token,
        options.set,
        options.confirm,
        attempts,
        options.delay,
        options.language,
        say,
    )
    address = urllib.parse.urlsplit(options.server)
    if fault:
        say(sender.text(fault, *([options.token_file] if fault.endswith("_file") else [])))
        return USAGE
    if address.scheme != "https" and not (address.scheme == "http" and address.hostname in LOOPBACK):
        say(sender.text("no_tls"))
        return USAGE
    try:
        if options.watch:
            folder = Folder(options.watch, sender, options.state, options.quiet, options.all, options.pattern)
            folder.watch(options.every)
        path = Path(options.file)
        data = path.read_bytes()
    except KeyboardInterrupt:
        return SENT
    except OSError as error:
        say(sender.text("no_file", error.filename or options.file))
        return USAGE
    try:
        return sender.send_and_report(path.name, data)
    except KeyboardInterrupt:
        return SENT
    except Unreachable as error:
        say(sender.text("unreachable", path.name, error))
        return UNREACHABLE


def print_while_read(text):
    """Print a line, or nothing if the program that read the output has ended, as `head` does in `| head -3`.

    The files are still sent, and the exit status still says what became of them.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EINVAL):  # Windows has EINVAL for a closed pipe
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def token_of(path, token=None):
    """Return the token and what is wrong with it, as a key of `TEXTS`; "" if nothing is.

    The token comes from the command line, else from a file, else from the environment. The file may be in
    UTF-16, which Windows programs write as "Unicode".
    """
    if token is not None:
        return (token, "") if is_token(token) else ("", "bad_token")
    if not path:
        text = os.environ.get("BAZA_TOKEN", "").strip()
        return (text, "") if is_token(text) else ("", "no_token")
    try:
        data = Path(path).read_bytes()
    except OSError:
        return "", "no_token_file"
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data.decode("utf-16" if wide else "utf-8-sig", errors="replace").strip()
    return (text, "") if is_token(text) else ("", "bad_token_file")


def is_token(text):
    """Return whether a text can stand in a header as a token."""
    return bool(text) and text.isascii() and text.isprintable() and " " not in text


def without_token(text):
    """Return a text in which every token is cut short."""
    return re.sub(r"baza_[A-Za-z0-9_-]{20,}", "baza_…", text)


class Parser(argparse.ArgumentParser):
    """A parser that takes no abbreviations, and whose errors repeat no token."""

    def __init__(self, **options):
        super().__init__(allow_abbrev=False, **options)

    def error(self, message):
        super().error(without_token(message))


def parser_of(arguments):
    """Return the parser of the script's arguments, in the language that they name or that of the computer."""
    first = Parser(add_help=False)
    first.add_argument("--language", default="")
    language = first.parse_known_args(arguments)[0].language
    language = language if language in ("es", "en") else computer_language()
    english = language != "es"

    class Formatter(argparse.RawDescriptionHelpFormatter):
        def add_usage(self, usage, actions, groups, prefix=None):
            super().add_usage(usage, actions, groups, HELP["usage"][english])

    parser = Parser(description=HELP["about"][english], formatter_class=Formatter, add_help=False)
    group = parser.add_argument_group(HELP["arguments"][english])
    group.add_argument("-h", "--help", action="help", help=HELP["-h"][english])
    group.add_argument("--server", required=True, help=HELP["--server"][english])
    add_arguments(group, language)
    return parser


def main():
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace", line_buffering=True)  # old terminals lack some letters
    parser = parser_of(sys.argv[1:])
    options = parser.parse_args()
    if bool(options.file) == bool(options.watch):
        parser.error(TEXTS["one_of_both"][options.language != "es"])
    return run(options, print_while_read)


if __name__ == "__main__":
    sys.exit(main())
