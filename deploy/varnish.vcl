# Varnish in front of gunicorn, as a cache of the public pages. docs/caching.md explains it.
#
#   varnishd -f /srv/baza/deploy/varnish.vcl -a public=127.0.0.1:6081 -a purge=127.0.0.1:6082 -s malloc,256m
#
# The application sends its messages about changed pages to the socket `purge` (BAZA_PURGE_URLS), which nobody
# else may reach. Varnish speaks no TLS: nginx in front of it does, and sets X-Forwarded-Proto and
# X-Forwarded-For as for gunicorn. BAZA_PROXIES is then 2.
vcl 4.1;

backend application {
    .host = "127.0.0.1";
    .port = "8000";
    .connect_timeout = 2s;
    .first_byte_timeout = 60s;
}

sub vcl_recv {
    if (req.method == "BAN") {
        if (local.socket != "purge") {
            return (synth(405, "Method not allowed"));
        }
        # Pages with one of the keys, unless they were written after the change.
        ban("obj.http.Surrogate-Key ~ \b(" + req.http.X-Keys + ")\b && obj.http.Surrogate-Key !~ \b"
            + req.http.X-Current + "\b");
        return (synth(200, "Banned"));
    }
    if (local.socket != "public") {
        return (synth(404, "Not found"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # The part of a page that is for its reader alone, and programs, which send a token.
    if (req.url ~ "[?&]yo=" || req.http.Authorization) {
        return (pass);
    }
    # Cookies stay on the request, because private pages need them. Public pages are looked up without: the
    # application does not read the cookies of a page that may be kept.
    return (hash);
}

sub vcl_hash {
    # Host and address are hashed by the built-in rules. Addresses in a page begin with the scheme.
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_response {
    # What may be kept says so in three ways. Everything else is private, or changes at any moment.
    if (beresp.status == 200
        && beresp.http.Cache-Control ~ "\bpublic\b"
        && beresp.http.Cache-Control ~ "\bs-maxage=[1-9]"
        && beresp.http.Surrogate-Key
        && !beresp.http.Set-Cookie) {
        # Varnish takes the time to live from s-maxage, and the grace from stale-while-revalidate. For this long it
        # keeps the page to ask with its ETag whether it has changed; nobody is shown it.
        set beresp.keep = 10m;
        return (deliver);
    }
    # Hashed static files name their content and never change.
    if (bereq.url ~ "^/static/" && beresp.status == 200 && beresp.http.Cache-Control ~ "\bimmutable\b") {
        unset beresp.http.Set-Cookie;
        return (deliver);
    }
    # For a second, requests for this address do not wait for each other.
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    set beresp.grace = 0s;
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.Surrogate-Key;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
}
