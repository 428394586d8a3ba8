"""Letters: e-mails about results, sent by the workers."""
