"""Notices of what happened, shown on the account's own page and sent as letters (e-mails) by the workers.

A room registers its kinds of notices in `AppConfig.ready` (`registry.register`), and calls `notifying.notify`
in the transaction of what happened.
"""
