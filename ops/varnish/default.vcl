vcl 4.1;
# Varnish 7 with vmod xkey (Debian: varnish, varnish-modules) in front of the store. Set in the store
# PURGE_URL=http://varnish.internal:6081/purge, and TRUSTED_PROXIES to the network of Varnish.
import xkey;

backend default {
  .host = "127.0.0.1";
  .port = "3000";
}

# the nodes of the store, which purge; no balancer may be among these IP addresses
acl nodes {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  # ours, not the visitor's
  if (req.restarts == 0) {
    unset req.http.x-cookie;
  }
  if (req.method == "POST" && req.url == "/purge") {
    # with PURGE_TOKEN: || req.http.Authorization != "Bearer the-token"
    if (client.ip !~ nodes || req.http.X-Forwarded-For ~ ",") {
      return (synth(403));
    }
    # expires the responses but keeps them for an outage
    set req.http.x-purged = xkey.softpurge(req.http.Surrogate-Key);
    return (synth(200, "Purged " + req.http.x-purged));
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # a visitor with a session or a token sees what the store sends, never a copy
  if (req.http.Authorization || req.http.Cookie ~ "stator\.session_token=") {
    return (pass);
  }
  # opened in a browser, these calls redirect to their page
  if (req.url ~ "^/(products|reviews|catalog)([/?]|$)" &&
      (req.http.Sec-Fetch-Mode == "navigate" || (!req.http.Sec-Fetch-Mode && req.http.Accept ~ "text/html"))) {
    return (pass);
  }
  # neither the store nor a copy is available: the response of the store is passed on
  if (req.restarts > 1) {
    return (pass);
  }
  # expired responses are for outages only: vcl_synth
  if (req.restarts == 0) {
    set req.grace = 0s;
  } else {
    set req.grace = 24h;
  }
  # the other cookies do not change a public response; a pass above keeps them
  set req.http.x-cookie = req.http.Cookie;
  unset req.http.Cookie;
  return (hash);
}

# what is not cached needs them
sub vcl_backend_fetch {
  if (bereq.http.x-cookie) {
    set bereq.http.Cookie = bereq.http.x-cookie;
    unset bereq.http.x-cookie;
  }
}

sub vcl_backend_response {
  # an error must not hide the copy for an outage
  if (beresp.status >= 500 && !bereq.uncacheable) {
    return (abandon);
  }
  if (beresp.status == 200 && beresp.http.CDN-Cache-Control ~ "max-age=" && !beresp.http.Set-Cookie
      && beresp.http.Cache-Control !~ "private|no-store") {
    set beresp.http.xkey = beresp.http.Surrogate-Key;
    set beresp.ttl = 10s;
    set beresp.grace = 24h;
    return (deliver);
  }
  # files of the build and pictures
  if (beresp.status == 200 && beresp.http.Cache-Control ~ "public, max-age=" && !beresp.http.Set-Cookie) {
    return (deliver);
  }
  set beresp.uncacheable = true;
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  # requests for it need not wait for each other
  set beresp.ttl = 10s;
  return (deliver);
}

sub vcl_backend_error {
  if (!bereq.uncacheable) {
    return (abandon);
  }
}

# the store did not respond: retry with expired copies
sub vcl_synth {
  if (resp.status == 503 && req.restarts < 2 && (req.method == "GET" || req.method == "HEAD")) {
    set req.http.Cookie = req.http.x-cookie;
    return (restart);
  }
}

sub vcl_deliver {
  # caches between here and the visitor are not purged
  if (resp.http.CDN-Cache-Control) {
    set resp.http.Cache-Control = "no-cache";
  }
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.CDN-Cache-Control;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}
