"""Sort table rows in memory, with texts in Spanish dictionary order."""

from collections.abc import Callable
from numbers import Number
from typing import Any

from django.utils.functional import Promise
from django_tables2.data import TableData, TableListData
from django_tables2.utils import Accessor, OrderBy

from ui.text import sort_key


class RowsInMemory(TableListData):
    """Table data from records in memory, sortable by any column. Rows without a value sort lowest."""

    def order_by(self, aliases) -> None:
        """Sort the records by column aliases, such as "name" or "-points", the most important first."""
        for alias in reversed(aliases):
            bound = self.table.columns[OrderBy(alias).bare]
            same = alias[0] == bound.order_by_alias[0]
            for order in reversed(bound.order_by if same else bound.order_by.opposite):
                self.data.sort(key=_key_of(order), reverse=order.is_descending)


def _key_of(order: OrderBy) -> Callable[[Any], tuple]:
    accessor = Accessor(order.bare)
    return lambda record: _comparable(accessor.resolve(record, quiet=True))


def _comparable(value: Any) -> tuple:
    """Return a sort key for values of mixed types: None, then numbers, texts, and others by type name."""
    if value is None:
        return (0,)
    if isinstance(value, Number):
        return (1, value)
    if isinstance(value, str | Promise):
        return (2, sort_key(str(value)))
    return (3, type(value).__name__, value)


def sortable(data: Any) -> Any:
    """Return `data` as table data. Wrap a list of records in `RowsInMemory`, so that it can be sorted."""
    if isinstance(data, TableData):
        return data
    container = TableData.from_data(data)
    return RowsInMemory(container.data) if type(container) is TableListData else container
