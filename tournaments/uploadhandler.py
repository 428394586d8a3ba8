"""Taking in an uploaded file without ever holding more of it than is accepted."""

from io import BytesIO

from django.conf import settings
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class BoundedUploadHandler(FileUploadHandler):
    """Keeps a file in memory up to one byte over the limit; the rest is read off the wire and forgotten.

    The form sees a file that is too large by its size, and can say so beside the field, however much was
    sent. Cutting the connection instead would show the director the browser's own error.
    """

    def new_file(self, *args, **kwargs) -> None:
        super().new_file(*args, **kwargs)
        self.kept = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        room = settings.UPLOAD_LIMIT + 1 - self.kept.tell()
        if room > 0:
            self.kept.write(raw_data[:room])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        size = self.kept.tell()
        self.kept.seek(0)
        return InMemoryUploadedFile(
            self.kept,
            self.field_name,
            self.file_name,
            self.content_type,
            size,
            self.charset,
            self.content_type_extra,
        )
