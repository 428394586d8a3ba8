"""The middleware that repeats requests leaves the connection's other watchers alone."""

from django.db import connection
from django.http import HttpResponse

from federation.reconnecting import ReconnectMiddleware


def test_what_a_new_connection_installs_during_a_request_stays(rf, monkeypatch):
    """The signal `connection_created` installs what times statements and tells caches of changes."""

    def timed(execute, sql, params, many, context):
        return execute(sql, params, many, context)

    def connect(_request):
        connection.execute_wrappers.append(timed)
        return HttpResponse()

    monkeypatch.setattr(connection, "execute_wrappers", [])
    ReconnectMiddleware(connect)(rf.get("/"))
    assert connection.execute_wrappers == [timed]
