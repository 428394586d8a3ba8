"""A bucket for uploaded files, of any service that speaks the protocol of S3.

boto3 finds the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a file that
AWS_SHARED_CREDENTIALS_FILE names, or the role of the machine.
"""

from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

CONNECT_SECONDS, ANSWER_SECONDS = 2, 8  # a page waits for them, twice if the first attempt fails


class Bucket(S3Storage):
    """A bucket that gives up soon, because a person waits for the page."""

    errors = (Boto3Error, BotoCoreError, ClientError)

    def __init__(self, **options: Any) -> None:
        config = Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=ANSWER_SECONDS,
            retries={"total_max_attempts": 2},
            # Services other than Amazon's refuse checksums that they need not know.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            s3={"addressing_style": options.get("addressing_style")},
        )
        # Keys are random, so there is nothing to overwrite, and no need to ask whether a name is free.
        super().__init__(client_config=config, file_overwrite=True, default_acl=None, **options)
