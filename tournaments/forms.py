"""Form fields: an uploaded file, and the number of a player."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import lazy
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.formats import registry
from tournaments.formats.declaration import FileFormat, UnsupportedFormat
from tournaments.formats.licence import normalise
from tournaments.formats.limits import TABLE_ROWS
from tournaments.services.files import MOST
from tournaments.services.issues import describe, issue
from ui.formatting import format_whole

HELP = _("%(formats)s, up to %(limit)s MB.")


class UploadedFileField(forms.FileField):
    """A file in one of the formats that the page reads.

    The browser's file dialog offers the extensions of these formats, and the help text lists their names.

    wanted: the classes of the formats, for example `registry.RESULTS`
    help_text: in it, `%(formats)s` stands for the names of the formats, and `%(limit)s` for the largest size
        in megabytes, and `%(rows)s` for the most rows of a table
    too_large: code of the issue that refuses a larger file
    """

    def __init__(
        self,
        wanted: tuple[type[FileFormat], ...],
        *,
        help_text: Any = HELP,
        too_large: str = "upload_too_large",
        **options: Any,
    ) -> None:
        self.wanted = wanted
        self.too_large = too_large
        filled = lazy(lambda: help_text % self._limits(), str)
        super().__init__(allow_empty_file=True, max_length=255, help_text=filled(), **options)

    def _limits(self) -> dict[str, Any]:
        rows = format_whole(TABLE_ROWS, get_language() or "")
        return {"formats": self._names(), "limit": _megabytes(), "rows": rows}

    def _names(self) -> str:
        names = [gettext(file_format.name) for file_format in registry.readable(self.wanted)]
        return get_text_list(names)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "accept": ",".join(registry.extensions(self.wanted))}

    def to_python(self, data: UploadedFile | None) -> UploadedFile | None:
        """Refuse empty and too large files before anything is stored or read."""
        file = super().to_python(data)
        if file is not None and not file.size:
            raise ValidationError(_refusal(file.name, "empty_file"))
        if file is not None and file.size > settings.UPLOAD_LIMIT:
            raise ValidationError(_refusal(file.name, self.too_large, limit=_megabytes()))
        return file

    @property
    def formats(self) -> dict[str, list[dict[str, str]]]:
        """Descriptions of the formats, for the help text.

        They say what is read from each format, and what to upload instead of formats that cannot be read.
        """
        recognised = [
            (file_format, file_format.instead)
            for file_format in registry.FORMATS
            if isinstance(file_format, UnsupportedFormat)
            and file_format.extensions
            and (registry.GO[0] in self.wanted or not file_format.of_go)
        ]
        read = [(file_format, file_format.reads) for file_format in registry.readable(self.wanted)]
        return {"read": _described(read), "recognised": _described(recognised)}

    @property
    def missing(self) -> list[dict[str, str]]:
        """The formats that this machine cannot read yet, with the command that installs what it lacks."""
        return [
            {"name": gettext(file_format.name), "command": command}
            for file_format in registry.readable(self.wanted)
            if (command := file_format.missing())
        ]


class SeveralFilesInput(forms.ClearableFileInput):
    """A file input that takes several files."""

    allow_multiple_selected = True


class UploadedFilesField(UploadedFileField):
    """One or several files of one event, each as `UploadedFileField` takes it. Its value is a list."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        sent = (data if isinstance(data, list | tuple) else [data]) or [None]
        if len(sent) > MOST:
            raise ValidationError(_("At most %(limit)s files belong to one upload.") % {"limit": MOST})
        files = [super(UploadedFilesField, self).clean(file, initial) for file in sent]
        if sum(file.size for file in files if file) > settings.UPLOAD_SUM_LIMIT:
            limit = settings.UPLOAD_SUM_LIMIT // 2**20
            raise ValidationError(_("Together the files are larger than %(limit)s MB.") % {"limit": limit})
        return [file for file in files if file is not None]


def _described(formats: list[tuple[FileFormat, str]]) -> list[dict[str, str]]:
    return [
        {
            "name": gettext(file_format.name),
            "extensions": ", ".join(file_format.extensions),
            "text": gettext(text),
        }
        for file_format, text in formats
    ]


def _megabytes() -> int:
    return settings.UPLOAD_LIMIT // 2**20


def _refusal(file_name: str, code: str, **params: int) -> str:
    text = describe(issue(code, **params))
    return f"{file_name}: {text.message} {text.remedy}"


class PlayerNumberField(forms.CharField):
    """A form field for a federation number. The cleaned value is the player with this number.

    follows_merges: whether a number that was merged gives the player who was kept, instead of being refused
    """

    def __init__(self, *, follows_merges: bool = False, **options: Any) -> None:
        options.setdefault("label", _("Player number"))
        super().__init__(max_length=20, **options)
        self.follows_merges = follows_merges
        self.widget.attrs.update(inputmode="numeric", autocomplete="off")

    def clean(self, value: Any) -> Player | None:
        text = super().clean(value)
        if not text:
            return None
        player = Player.objects.select_related("merged_into").filter(number=normalise(text) or "").first()
        if player is None:
            raise ValidationError(gettext("There is no player with number %(number)s.") % {"number": text})
        if player.merged_into_id and not self.follows_merges:
            message = gettext("Number %(number)s was merged into %(kept)s: use that one.")
            raise ValidationError(message % {"number": player.number, "kept": player.current.number})
        return player.current
