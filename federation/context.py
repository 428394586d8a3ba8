"""What every template needs."""


def site(request):
    return {}
