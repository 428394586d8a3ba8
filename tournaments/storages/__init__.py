"""Where the bytes of uploaded files are kept if not in the database: a shared folder, or a bucket (S3)."""
