"""A small file in every format: its usual name and its bytes. All names and numbers are fictitious.

Tests for all formats use these files, so that they also cover new formats.
"""

import io
import zipfile

from tests.tournaments.formats import bridgemates, makers, sheets
from tournaments.formats.declaration import FileFormat

ACCESS = b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(60)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(60)

PBN = """% PBN 2.1
[Event "Torneo de prueba"]
[TotalScoreTable "Rank;PairId;Names;TotalPercentage"]
1 1 "Ana Inventada;Luis Inventado" 61.25
2 2 "Eva Inventada;Mar Inventada" 38.75
"""
EGD = """; CL[B]
; EV[Torneo del Faro]
; DT[2026-03-14,2026-03-15]
1 Arroyo Ana 2d ES Faro 2+/w |10000001
2 Benitez Blas 1k ES Faro 1-/b |10000002
"""
GOTHA = """<?xml version="1.0" encoding="UTF-8"?>
<Tournament dataVersion="201"><Players>
<Player name="Arroyo" firstName="Ana" country="ES" egfPin="10000001" grade="2D" registeringStatus="FIN"/>
<Player name="Benitez" firstName="Blas" country="ES" egfPin="10000002" grade="1K" registeringStatus="FIN"/>
</Players><Games>
<Game roundNumber="1" whitePlayer="ARROYOANA" blackPlayer="BENITEZBLAS" result="RESULT_WHITEWINS"/>
</Games></Tournament>
"""
MACMAHON = """<?xml version="1.0" encoding="UTF-8"?>
<!-- <Tournament name="x"> -->
<Tournament typeversion="2"><Name>Torneo del Faro</Name><NumberOfRounds>1</NumberOfRounds>
<IndividualParticipant><Id>7</Id><PreliminaryRegistration>false</PreliminaryRegistration><GoPlayer>
<FirstName>Ana</FirstName><Surname>Arroyo</Surname><Club>Faro</Club><Country>ES</Country><GoLevel>2d</GoLevel>
<EgdPin>10000001</EgdPin></GoPlayer></IndividualParticipant>
<IndividualParticipant><Id>9</Id><PreliminaryRegistration>false</PreliminaryRegistration><GoPlayer>
<FirstName>Blas</FirstName><Surname>Benitez</Surname><Club>Faro</Club><Country>ES</Country><GoLevel>1k</GoLevel>
<EgdPin>10000002</EgdPin></GoPlayer></IndividualParticipant>
<TournamentRound><RoundNumber>1</RoundNumber><Pairing><PairingWithBye>false</PairingWithBye>
<Black>9</Black><White>7</White><Handicap>0</Handicap><Result>0-1</Result></Pairing></TournamentRound>
</Tournament>
"""


def package(**members: str) -> bytes:
    """Return a zip file with these members: name -> content.

    In a name, `__` stands for a slash and `_` for a dot.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for name, content in members.items():
            target.writestr(name.replace("__", "/").replace("_", "."), content)
    return out.getvalue()


EXAMPLES: dict[str, tuple[str, bytes]] = {
    "usebio": ("martes.xml", makers.mitchell(2, 2).data()),
    "pbn": ("martes.pbn", PBN.encode()),
    "csv": ("martes.csv", makers.csv_table(makers.PAIRS_TABLE, encoding="cp1252")),
    "xlsx": ("martes.xlsx", makers.xlsx_table(makers.PAIRS_TABLE)),
    "egd": ("copa.h9", EGD.encode()),
    "opengotha": ("copa.xml", GOTHA.encode()),
    "macmahon": ("copa.xml", MACMAHON.encode()),
    "bws": ("martes.bws", bridgemates.mitchell(2).data()),
    "access": ("socios.mdb", ACCESS + b"\xff\xfeSocios"),
    "xls": ("martes.xls", sheets.xls(makers.PAIRS_TABLE)),
    "ods": ("martes.ods", sheets.ods({"Ranking": makers.PAIRS_TABLE})),
    "excel_xml": (
        "martes.xml",
        b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'
        b'<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><ss:Worksheet/></ss:Workbook>',
    ),
    "ole": ("martes.msg", OLE),
    "encrypted": ("martes.xlsx", OLE + "EncryptedPackage".encode("utf-16-le")),
    "numbers": ("martes.numbers", package(Index__CalculationEngine_iwa="x")),
    "damaged_package": ("martes.xlsx", makers.xlsx_table(makers.PAIRS_TABLE)[:600]),
    "not_xlsx": ("martes.xlsx", b"puesto;licencia\n1;500001\n"),
    "pdf": ("martes.pdf", b"%PDF-1.7\n%\xe2\xe3"),
    "text_document": ("martes.docx", package(word__document_xml="<w/>")),
    "picture": ("martes.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(40)),
    "html": ("martes.html", b"<!DOCTYPE html><html><table><tr><td>1</td></tr></table></html>"),
    "compressed": ("martes.7z", b"7z\xbc\xaf\x27\x1c" + bytes(40)),
    "zip": ("martes.zip", package(martes_csv="puesto;licencia")),
    "lin": (
        "1234.lin",
        b"vg|Liga,Ronda 1,I,1,16,Faro,0,Playa,0|\nrs|4SN=,3NTE-1|\npn|Ana,Luis,Eva,Mar|pg||\n",
    ),
    "rrn": ("martes.rrn", b"un texto sin columnas\n"),
    "acbl_live": ("martes.json", b'{"sessions": [{"sections": [{"pair_summaries": []}]}]}'),
    "pairgoth": ("copa.tour", b'{"type": "INDIVIDUAL", "timeSystem": {}, "pairing": {}, "players": []}'),
    "egd_players": (
        "egf_db.txt",
        b"<html><h1>List of WORLD Players</h1><pre>\n   PIN      Name     Club     Grade P&D    GoR    NT\n"
        b" 10000001  Arroyo Ana     ES  Faro   2d   --   2100   9  T260314A\n</pre></html>",
    ),
    "xml_definition": (
        "torneo.dtd",
        b'<?xml version="1.0"?>\n<!ELEMENT Tournament (Players?)>\n<!ATTLIST Tournament version CDATA "2">',
    ),
    "json": ("martes.json", b'{"title": "Liga", "rotations": {"1": {"ns": 1, "ew": 6}}}'),
    "unknown_text": ("martes.txt", b"Hoy, como siempre, no hubo torneo.\nHasta el martes.\n"),
    "unknown_binary": ("martes.bm2", bytes(range(256)) * 2),
    "program": ("contador.exe", b"MZ\x90\x00" + bytes(40)),
}


def example_of(declared: FileFormat) -> tuple[str, bytes]:
    assert declared.code in EXAMPLES, f"add a small file of {declared.name} to tests/.../formats/examples.py"
    return EXAMPLES[declared.code]
