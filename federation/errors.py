def csrf_failure(request, reason=""):
    raise NotImplementedError
