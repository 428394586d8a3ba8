"""What all charts share: two drawings as SVG, with a title and a description for screen readers."""

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from django.utils.safestring import SafeString, mark_safe

Size = tuple[int, int]  # (width, height) in SVG units


class Picture:
    """A chart with a drawing for large screens and paper, and one for telephones.

    The template ui/plot.html shows it with its data as a table (`as_table`).
    """

    WIDE: ClassVar[Size]
    NARROW: ClassVar[Size]
    title: str
    desc: str

    @cached_property
    def ident(self) -> str:
        """An HTML id derived from the texts, so that the same chart always gives the same HTML."""
        return f"plot-{crc32(f'{self.title}|{self.desc}'.encode()):08x}"

    @cached_property
    def wide(self) -> SafeString:
        """The SVG drawing for large screens and paper."""
        return self._svg(*self.WIDE, "w")

    @cached_property
    def narrow(self) -> SafeString:
        """The SVG drawing for telephones."""
        return self._svg(*self.NARROW, "n")

    def _svg(self, width: int, height: int, variant: str) -> SafeString:
        raise NotImplementedError

    def _framed(
        self, width: float, height: float, variant: str, values: str, parts: Iterable[str]
    ) -> SafeString:
        """Return a drawing as SVG.

        variant: a letter that tells the drawings of one chart apart in HTML ids
        values: what the drawing shows on hover and focus, from `data_points`
        parts: SVG elements; every text in them is escaped
        """
        ident = f"{self.ident}-{variant}"
        head = (
            f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-labelledby="{ident}-t {ident}-d" '
            f'data-points={quoteattr(values)} xmlns="http://www.w3.org/2000/svg">'
            f'<title id="{ident}-t">{escape(self.title)}</title>'
            f'<desc id="{ident}-d">{escape(self.desc)}</desc>'
        )
        return mark_safe("".join([head, *parts, "</svg>"]))  # noqa: S308 (every text passed through escape)
