"""A Django upload handler that limits how much of a file is held in memory."""

from io import BytesIO

from django.conf import settings
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from ui.text import without_direction_marks


class BoundedUploadHandler(FileUploadHandler):
    """An upload handler that keeps files in memory only up to one byte more than the size limits.

    There is a limit for each file and one for all files of a request together.

    The rest of a larger file is read and discarded. The extra byte lets the form detect that the file is too
    large, and show its error beside the field. If the connection were closed instead, users would see their
    browser's own error page.
    """

    kept = 0  # bytes of the earlier files of the request

    def new_file(self, *args, **kwargs) -> None:
        super().new_file(*args, **kwargs)
        self.file_name = without_direction_marks(self.file_name)
        self.buffer = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        size = self.buffer.tell()
        room = min(settings.UPLOAD_LIMIT + 1 - size, settings.UPLOAD_SUM_LIMIT + 1 - self.kept - size)
        if room > 0:
            self.buffer.write(raw_data[:room])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        size = self.buffer.tell()
        self.kept += size
        self.buffer.seek(0)
        return InMemoryUploadedFile(
            self.buffer,
            self.field_name,
            self.file_name,
            self.content_type,
            size,
            self.charset,
            self.content_type_extra,
        )
