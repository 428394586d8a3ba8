"""Webhooks: what happens is posted to the programs that clubs and the office have named.

`outbox` stores a delivery for each webhook in the transaction of the event; workers send it (`sending`).
"""
