"""What stands before every request: which hosts and origins are known, how large a body may be and what it may hold, how often
somebody may ask; and the headers that keep a page to itself."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from meeple.serve.errors import NOT_YOURS, WRONG, Refused
from meeple.serve.limits import Limits

MOST_BODY = 512 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Pure ASGI, so that it stands before WebSockets too."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], limits: Limits) -> None:
        self.app, self.hosts, self.limits = app, hosts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self._check(scope)
            if scope["type"] == "http" and scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
                receive = await _whole(scope, receive)
        except Refused as error:
            await _refuse(scope, receive, send, error)
            return
        await self.app(scope, receive, _with_headers(scope, send))

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self.hosts:
            raise Refused(NOT_YOURS, "This server does not go by that name; meeple serve --name NAME allows one.")
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host:
            raise Refused(NOT_YOURS, "Requests from other sites are not answered.")
        self.limits.take(visitor(scope), "request")


def _name(host: str) -> str:
    """Without the port; an address in brackets keeps them."""
    return host.rsplit(":", 1)[0].lower() if not host.endswith("]") else host.lower()


def _place(origin: str) -> str | None:
    """Host and port of an origin; nothing where it is none, such as `http://[`."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def visitor(scope: Any) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "?"


async def _whole(scope: Scope, receive: Receive) -> Receive:
    """Read the body before anybody looks at it: not too large, JSON, no broken text in it."""
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdigit() or int(length) > MOST_BODY:
        raise Refused(413, f"A request may have at most {MOST_BODY:,} bytes.")
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > MOST_BODY:
            raise Refused(413, f"A request may have at most {MOST_BODY:,} bytes.")
    if body:
        _check_json(body)
    sent: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return sent.pop() if sent else await receive()

    return replay


def _check_json(body: bytes) -> None:
    try:
        json.dumps(json.loads(body), ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):  # which broken Unicode is too
        raise Refused(WRONG, "The body must be JSON in UTF-8, not nested too deeply, without NaN.") from None


async def _refuse(scope: Scope, receive: Receive, send: Send, error: Refused) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": str(error)})
        return
    await JSONResponse({"detail": str(error)}, error.status, headers=HEADERS)(scope, receive, send)


def _with_headers(scope: Scope, send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store" if scope["path"].startswith("/api") else "no-cache")
        await send(message)

    return wrapped
