"""The names of all query parameters, in Spanish like the paths of the addresses.

A test refuses a link or a form of a page with a name that is not here. The addresses below `/api/` and
`/admin/` are not pages of this kind. Values are codes, which may be English.
"""

import re

from django.http import QueryDict

PAGE, SORT, LENGTH = "pagina", "orden", "filas"  # of a table; `ui.paging` puts prefixes before these three

NAMES = frozenset({
    # which rows a list has
    "a", "acto", "ano", "categoria", "club", "correo", "dia", "desde", "estado", "extranjeras", "licencia",
    "lugar", "mes", "modalidad", "pareja", "pendientes", "periodo", "puntos", "puntua", "q", "region",
    "rol", "segun", "temporada", "tipo", "ver", "vista",
    # what a page or a form is about
    "anunciado", "apunte", "aviso", "borrada", "cambiar", "cede", "como", "con", "corrige", "hoja", "n",
    "numero", "partida", "queda", "reglamento", "reglas", "sistema", "torneo", "version",
    # the calculators; see NUMBERED for the others
    "c4", "c4_otro", "calificacion", "clase", "comparar", "concurso", "decimales", "epsilon", "factor_m",
    "factor_r", "factor_t", "limite", "manos", "mesas", "participantes", "profundidad", "profundidad_club",
    "puesto", "restriccion", "sesiones", "tabla", "tipo_otro",
    # how a page is shown: as a file, the whole list on one page, for one reader
    "formato", "entera", "yo",
    # the page that leads to signing in; the library for accounts reads it under this name
    "next",
})  # fmt: skip
# Of tables, of the players of a category, and of the games of a Go tournament.
NUMBERED = re.compile(
    rf"([a-z0-9]+-)?({PAGE}|{SORT}|{LENGTH})|n_[0-9A-Z-]+|(rival|resultado|piedras|recibe)_[0-9]+"
)

# The former names of parameters. Addresses that have them are redirected for good.
FORMER = {
    "page": PAGE,
    "sort": SORT,
    "per_page": LENGTH,
    "table-pagina": PAGE,
    "table-orden": SORT,
    "pagina-torneos": f"torneos-{PAGE}",
    "fecha": "ano",
}


def is_known(name: str) -> bool:
    """Return whether a name is one of those that pages use."""
    return name not in FORMER and (name in NAMES or NUMBERED.fullmatch(name) is not None)


def renamed(query: QueryDict) -> QueryDict | None:
    """Return a query with the names of today, or None if it has no former name.

    If an address has both names of a parameter, the value of today's name is kept.
    """
    if not any(name in query for name in FORMER):
        return None
    result = query.copy()
    for former, name in FORMER.items():
        values = result.pop(former, [])
        if values and name not in result:
            result.setlist(name, values)
    return result
