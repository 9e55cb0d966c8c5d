//! Pages for a browser on this machine, and for nobody else.
//!
//! Only the loopback address is listened on. A foreign page that a browser shows can still send requests there: what names another
//! host (DNS rebinding) or comes from another origin is refused before it is looked at, and no page may be framed. The protocol is
//! oxhttp's: threads for connections, as many as are allowed, each with limits of time and size.

use oxhttp::Server;
use oxhttp::model::header::{CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use oxhttp::model::{Body, Method, Request, Response, StatusCode};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

/// So many connections at once; others wait.
const CONNECTIONS: usize = 256;

/// Who sends nothing for so long is left.
const IDLE: Duration = Duration::from_secs(10);

/// Nothing is loaded from elsewhere, framed, kept or told to others. Pictures have styles inside.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; \
         form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
];

/// What is sent back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// `text/html` and the like; the text is UTF-8.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn plain(status: u16, text: &str) -> Reply {
        Reply { status, kind: "text/plain", text: format!("{text}\n") }
    }
}

/// Listens on `port` of the loopback address, or on one that is free: the first one at or above `port` where `next`. Returns the port. `answer`
/// is given a path and the pairs of its query. Errors: the port is taken, or listening is not allowed.
pub(crate) fn start(
    port: u16,
    next: bool,
    answer: impl Fn(&str, &[(String, String)]) -> Reply + Send + Sync + Clone + 'static,
) -> io::Result<u16> {
    /// So many ports are tried.
    const TRIED: u16 = 100;

    let mut at = port;
    loop {
        let port = if at == 0 { free()? } else { at };
        let answer = answer.clone();
        let server = Server::new(move |request| reply(request, port, &answer))
            .bind((Ipv4Addr::LOCALHOST, port))
            .with_max_concurrent_connections(CONNECTIONS)
            .with_global_timeout(IDLE);
        match server.spawn() {
            Ok(_) => return Ok(port),
            // Port 0: another program was quicker.
            Err(error) if error.kind() == ErrorKind::AddrInUse && at == 0 => {}
            Err(error) if error.kind() == ErrorKind::AddrInUse && next && at < port.saturating_add(TRIED) => {
                at = at.checked_add(1).ok_or(error)?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// A port that nobody listens on.
fn free() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn reply(request: &Request<Body>, port: u16, answer: &impl Fn(&str, &[(String, String)]) -> Reply) -> Response<Body> {
    let told = refusal(request, port).unwrap_or_else(|| {
        let query = request.uri().query().unwrap_or("");
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        answer(request.uri().path(), &pairs)
    });
    let mut response = Response::new(Body::from(told.text));
    *response.status_mut() = StatusCode::from_u16(told.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Ok(kind) = HeaderValue::try_from(format!("{}; charset=utf-8", told.kind)) {
        headers.insert(CONTENT_TYPE, kind);
    }
    // Whoever keeps a connection open would be cut off by the limit of time, maybe within the next request.
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Why a request is not looked at.
fn refusal(request: &Request<Body>, port: u16) -> Option<Reply> {
    let own = |host: &str| ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| host == format!("{name}:{port}"));
    let header = |name: &HeaderName| text(request.headers(), name);
    if !request.uri().authority().is_some_and(|host| own(host.as_str())) {
        return Some(Reply::plain(403, "this program answers to its own address only"));
    }
    // Also where the line of the request names a host of its own.
    if !header(&HeaderName::from_static("host")).is_some_and(own) {
        return Some(Reply::plain(403, "this program answers to its own address only"));
    }
    if header(&ORIGIN).is_some_and(|origin| !origin.strip_prefix("http://").is_some_and(own)) {
        return Some(Reply::plain(403, "pages of others cannot ask this program"));
    }
    // A link of another page may lead here; what it loads or frames may not.
    let fetch = |name: &'static str| header(&HeaderName::from_static(name));
    let opened = fetch("sec-fetch-mode") == Some("navigate") && fetch("sec-fetch-dest") == Some("document");
    if matches!(fetch("sec-fetch-site"), Some("cross-site" | "same-site")) && !opened {
        return Some(Reply::plain(403, "pages of others cannot ask this program"));
    }
    (request.method() != Method::GET).then(|| Reply::plain(405, "there are only pages to get"))
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}
