"""Show the validation errors of a service on the form that the user submitted."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.forms import BaseForm


@contextmanager
def errors_on(form: BaseForm) -> Iterator[None]:
    """Add a ValidationError that is raised inside a `with` block to the form.

    Errors of a field are added to that field, others to the form as a whole.
    """
    try:
        yield
    except ValidationError as error:
        form.add_error(None, error)
