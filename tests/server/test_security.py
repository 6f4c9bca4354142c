"""What strangers may try: other seats, other sites, odd bodies, odd names, floods."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from ninefold.server.asgi import Options
from ninefold.server.metrics import Metrics
from ninefold.server.rate_limits import DEFAULT_RATES, RateLimits, RequestKind
from ninefold.server.requests import LARGEST_BODY
from ninefold.server.security import SecurityMiddleware
from tests.program import WAIT_SECONDS
from tests.server.asgi import Answer, Exchange, Json, Site, play, scope_of
from tests.servers import make_server, make_store

JSON = ("content-type", "application/json")
NEW: Json = {"game": "multiplication-duel", "opponent": "friend", "name": "Ada"}
PUBLIC = "https://play.example.org"


def cookie_of(answer: Answer) -> str:
    """Return the cookie as a browser sends it back."""
    return answer.header("set-cookie").partition(";")[0]


# Seats


def test_a_seat_cannot_move_for_the_other(site: Site) -> None:
    ada, bob = site.pair()
    assert bob.move(5).error == (409, "out_of_turn")
    assert ada.move(5).status == 200
    assert ada.move(5).error == (409, "out_of_turn")


@pytest.mark.parametrize(
    "header",
    [
        "Bearer {0}x",
        "Bearer x{0}",
        "Bearer ",
        "Bearer",
        "Bearer " + "A" * 43,
        "Bearer \xff\xfe",
        "Basic {0}",
        "{0}",
        "Bearer {0} {0}",
    ],
)
def test_a_forged_secret_opens_nothing(site: Site, header: str) -> None:
    ada, _ = site.pair()
    forged = ("authorization", header.format(ada.secret))
    body: Json = {"ask": {"do": "move", "multiplier": 5}, "seq": 2}
    assert site.post(f"{ada.path}/log", body, [forged]).error == (401, "wrong_secret")
    assert site.get(ada.path, [forged]).error == (401, "wrong_secret")
    assert ada.state["moves"] == []


def test_the_secret_of_another_match_opens_nothing(site: Site) -> None:
    ada, _ = site.pair()
    other, _ = site.pair()
    body: Json = {"ask": {"do": "move", "multiplier": 5}, "seq": 2}
    refused = site.post(f"{ada.path}/log", body, [other.bearer])
    assert refused.error == (401, "wrong_secret")


def test_seats_have_secrets_of_their_own(site: Site) -> None:
    people = [person for _ in range(5) for person in site.pair()]
    assert len({person.secret for person in people}) == len(people)
    assert len({person.match for person in people}) == 5
    assert all(len(person.secret) == 43 for person in people)  # 256 bits
    assert all(len(person.match) == 22 for person in people)  # 128 bits


def test_a_browser_proves_its_seat_by_a_cookie(site: Site) -> None:
    ada, _ = site.pair()
    cookie = ("cookie", f"other=1; {cookie_of(ada.seated)}")
    moved = site.post(
        f"{ada.path}/log", {"ask": {"do": "move", "multiplier": 5}, "seq": 2}, [cookie]
    )
    assert moved["your_seat"] == 1
    assert site.get(ada.path, [cookie])["your_seat"] == 1


def test_a_cookie_is_for_one_match_and_for_no_script(site: Site) -> None:
    ada = site.create()
    cookie = ada.seated.header("set-cookie")
    assert cookie.startswith(f"ninefold-seat={ada.secret};")
    attributes = {part.strip() for part in cookie.split(";")[1:]}
    assert {"HttpOnly", "SameSite=lax", f"Path={ada.path}"} <= attributes
    assert "Secure" not in attributes  # this one is reached by http


def test_an_old_cookie_makes_a_spectator(site: Site) -> None:
    ada, bob = site.pair()
    for old in ("ninefold-seat=old", "ninefold-seat=", "ninefold-seat=\xff"):
        assert site.get(ada.path, [("cookie", old)])["your_seat"] is None
    body: Json = {"ask": {"do": "move", "multiplier": 5}, "seq": 2}
    refused = site.post(f"{ada.path}/log", body, [("cookie", "ninefold-seat=old")])
    assert refused.error == (401, "no_seat")
    both = [("cookie", cookie_of(bob.seated)), ada.bearer]
    assert site.get(ada.path, both)["your_seat"] == 1  # the header counts


def test_a_request_that_is_sent_again_gets_the_same_secret(site: Site) -> None:
    new = {**NEW, "request_id": site.request_id()}
    made = site.post("/api/matches", new)
    assert site.post("/api/matches", new) == made
    other = site.post("/api/matches", {**new, "name": "Eve"})
    assert other.error == (409, "request_id_reused")
    assert "secret" not in other.text
    seat: Json = {"name": "Bob", "request_id": site.request_id()}
    path = f"/api/matches/{made['id']}/seat"
    seated = site.post(path, seat)
    assert site.post(path, seat) == seated
    stolen = site.post(path, {**seat, "name": "Eve"})
    assert stolen.error == (409, "request_id_reused")
    used = site.post(path, {"name": "Eve", "request_id": new["request_id"]})
    assert used.error == (409, "request_id_reused")


def test_a_request_id_belongs_to_the_seat_that_sent_it(site: Site) -> None:
    ada, bob = site.pair()
    request_id = site.request_id()
    assert ada.move(5, request_id=request_id).status == 200
    assert bob.move(2, request_id=request_id)["moves"] == [5, 2]
    resigned = ada.ask("resign", request_id=request_id)
    assert resigned.error == (409, "request_id_reused")


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        [("origin", "https://elsewhere.example")],
        [("origin", "http://localhost.elsewhere.example")],
        [("origin", "http://localhost:8080")],
        [("origin", "https://localhost")],
        [("origin", "null")],
        [("origin", "")],
        [("sec-fetch-site", "cross-site")],
        [("sec-fetch-site", "same-site")],
        [("origin", "http://localhost"), ("sec-fetch-site", "cross-site")],
        [("origin", "http://localhost"), ("origin", "https://elsewhere.example")],
    ],
)
def test_a_foreign_site_can_do_nothing(
    site: Site, headers: list[tuple[str, str]]
) -> None:
    assert site.post("/api/matches", NEW, headers).error == (403, "foreign_origin")


@pytest.mark.parametrize(
    "headers",
    [
        [("origin", "http://localhost"), ("sec-fetch-site", "same-origin")],
        [("origin", "HTTP://LOCALHOST")],
        [("sec-fetch-site", "none")],
        [("host", "127.0.0.1:9009"), ("origin", "http://127.0.0.1:9009")],
        [("host", "[::1]:9009"), ("origin", "http://[::1]:9009")],
        [],
    ],
)
def test_the_page_itself_and_programs_can(
    site: Site, headers: list[tuple[str, str]]
) -> None:
    assert site.post("/api/matches", NEW, headers).status == 201


@pytest.mark.parametrize(
    "host",
    [
        "elsewhere.example",
        "localhost.elsewhere.example",
        "elsewhere.example:80",
        "elsewhere.example@127.0.0.1",
        "localhost/elsewhere",
        "localhost:port",
        "localhost:",
        "localhost localhost",
        "[::1",
        "[1.2.3.4]",
        "[::g]",
        "0x7f.1",
        "",
    ],
)
def test_a_name_that_is_not_the_servers_is_refused(site: Site, host: str) -> None:
    for path in ("/", "/api/choices", "/healthz"):
        assert site.get(path, [("host", host)]).error == (400, "wrong_host")


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:1", "127.0.0.1", "192.168.1.7:9009", "[::1]", "[::1]:1"],
)
def test_a_number_or_a_name_of_the_server_is_known(site: Site, host: str) -> None:
    assert site.get("/api/choices", [("host", host)]).status == 200


def test_a_request_without_a_host_is_refused() -> None:
    server = make_server()

    async def run() -> int:
        statuses: list[int] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        scope = {**scope_of("GET", "/"), "headers": []}
        await server.application()(scope, receive, send)
        return statuses[0]

    assert asyncio.run(run()) == 400


@pytest.fixture(scope="module")
def public() -> Iterator[Site]:
    options = Options(public_url=PUBLIC + "/", hosts=("play.example.org",))
    with Site(make_server(options=options).application()) as started:
        yield started


def test_a_public_server_is_known_by_its_public_name(public: Site) -> None:
    host = ("host", "play.example.org")
    made = public.post("/api/matches", NEW, [host, ("origin", PUBLIC)])
    assert made.status == 201
    assert made["link"] == f"{PUBLIC}/m/{made['id']}"
    assert "; Secure" in made.header("set-cookie")
    page = public.get(f"/m/{made['id']}", [host])
    assert f'"og:image" content="{PUBLIC}/page/' in page.text
    foreign = public.post("/api/matches", NEW, [host, ("origin", "https://a.example")])
    assert foreign.error == (403, "foreign_origin")
    assert public.get("/").error == (400, "wrong_host")  # localhost was not named


# Bodies


def create(site: Site, body: bytes, kind: str = "application/json") -> Answer:
    return site.ask("POST", "/api/matches", body, [("content-type", kind)])


def written(**changes: str) -> bytes:
    """Write a body whose values are given as they are in JSON."""
    fields = {key: json.dumps(value) for key, value in NEW.items()}
    fields |= {"request_id": '"request-of-a-test"'} | changes
    return ("{" + ",".join(f'"{k}":{v}' for k, v in fields.items()) + "}").encode()


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"],
)
def test_a_body_that_is_not_json_is_refused(site: Site, kind: str) -> None:
    assert create(site, written(), kind).error == (415, "not_json")


def test_json_may_name_its_encoding(site: Site) -> None:
    assert create(site, written(), "Application/JSON; charset=utf-8").status == 201


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"5",
        b"[]",
        b'"text"',
        b"{",
        b"{}",
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"[" * LARGEST_BODY,
        b'{"game":' + b"[" * 4000,
        b'{"lessons":' * 300,
        written(target="NaN"),
        written(target="Infinity"),
        written(target="1e400"),
        written(target="1.5"),
        written(target="1e2"),
        written(target='{"a":1}'),
        written(name=r'"\ud800"'),
        written(name=r'"\udfff\ud800"'),
        written(name='"\x01"'),
        written(name="7"),
        written(request_id='"0123456789abcdef\\n"'),
        written() + b"{}",
    ],
    ids=lambda body: repr(body[:40]),
)
def test_malformed_body_is_refused(site: Site, body: bytes) -> None:
    refused = create(site, body)
    assert refused.error == (400, "form")


@pytest.mark.parametrize(
    "fields",
    [
        {"game": '"multiplication-duel\\u0000"'},
        {"game": '"../../etc/passwd"'},
        {"target": "9" * 3000},
        {"target": '"' + "9" * 3000 + '"'},
    ],
    ids=lambda fields: repr(fields)[:30],
)
def test_invalid_value_is_refused_at_its_field(
    site: Site, fields: dict[str, str]
) -> None:
    refused = create(site, written(**fields))
    assert refused.error == (422, "refused")
    assert [refused["field"]] == [*fields]


def test_last_of_repeated_keys_counts(site: Site) -> None:
    body = written(request_id='"request-of-a-repeat"')[:-1] + b',"name":"Zoe"}'
    made = create(site, body)
    seats = made["seats"]
    assert isinstance(seats, list)
    assert seats[0]["name"] == "Zoe"


def test_a_body_that_is_too_large_is_refused_before_it_is_read(site: Site) -> None:
    full = written().ljust(LARGEST_BODY)
    assert create(site, full + b" ").error == (413, "too_large")
    parts = (b" " * 1000 for _ in range(1_000_000))
    refused = site.ask("POST", "/api/matches", [next(parts) for _ in range(9)], [JSON])
    assert refused.error == (413, "too_large")


def test_a_body_that_breaks_off_is_refused(site: Site) -> None:
    refused = site.ask("POST", "/api/matches", b'{"ga', [JSON], breaks_off=True)
    assert refused.error == (400, "form")


def test_late_body_is_refused() -> None:
    with Site(make_server(seconds_for_a_body=0.01).application()) as site:
        late = site.ask("POST", "/api/matches", b'{"ga', [JSON], stalls=True)
        assert late.error == (408, "too_slow")
        assert late.header("connection") == "close"
        large = site.ask("POST", "/api/matches", b" " * 5000, [JSON], stalls=True)
        assert large.error == (413, "too_large")


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/page/../keys.py",
        "/page/..%2fkeys.py",
        "/page/%2e%2e/keys.py",
        "/page/%2e%2e%2f%2e%2e%2fmain.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/index.html%00.js",
        "/page/index.html/",
        "/page/./index.html",
        "/page/..\\keys.py",
        "/page/",
        "//etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/matches/../../healthz",
    ],
)
def test_nothing_but_the_page_is_served(site: Site, path: str) -> None:
    assert site.get(path).status == 404


@pytest.mark.parametrize(
    "match_id", ["%00", "%ff", "a%00b", "'%20OR%201=1--", "x" * 5000, "%F0%9F%98%80"]
)
def test_malformed_id_is_not_found(site: Site, match_id: str) -> None:
    path = f"/api/matches/{match_id}"
    assert site.get(path).error == (404, "no_such_match")
    assert site.post(f"{path}/seat", {"name": "Eve"}).error == (404, "no_such_match")


# Names


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Zoe\u0308", "Zoë"),
        ("  Ada \u00a0 B\u3000", "Ada B"),
        ("<script>alert(1)</script"[:24], "<script>alert(1)</script"),
        ("e\u0301" * 24, "é" * 24),
        ("👩 ❤\ufe0f", "👩 ❤"),
        ("شهرزاد", "شهرزاد"),
        ("क्षितिज", "क्षितिज"),
        ('"; DROP TABLE x', '"; DROP TABLE x'),
    ],
)
def test_a_name_is_composed_and_shown(site: Site, given: str, shown: str) -> None:
    seats = site.create(name=given).state["seats"]
    assert isinstance(seats, list)
    assert seats[0]["name"] == shown


@pytest.mark.parametrize(
    "name",
    [
        "Ada\u202e",  # right to left from here on
        "\u2066Ada\u2069",
        "Ada\u200b",  # no width
        "A\u200dda",
        "\U0001f468\u200d",  # a joiner that joins nothing
        "\u0645\u200c\u200c\u064a",
        "\ufeffAda",
        "Ada\u00ad",  # a hyphen that is not shown
        "Ada\x00",
        "Ada\x1b[2J",
        "Ada\nBob",
        "Ada\r\nSet-Cookie: a=b",
        "Ada\u2028",
        "\u3164",  # blank letters
        "\u115fAda",
        "\u2800",
        "A\u034fda",
        "\ufe0f",
        "\U000e0041",  # a tag
        "\ue000",  # private
        "\U0010ffff",  # nothing
        "\u0301",  # a mark on nothing
        "A" + "\u0336\u0489\u0488\u0301",  # marks upon marks
        "x" * 25,
        " ",
    ],
    ids=ascii,
)
def test_a_name_that_could_deceive_is_refused(site: Site, name: str) -> None:
    refused = site.post("/api/matches", {**NEW, "name": name})
    assert refused.error == (422, "refused")
    assert refused["detail"] == (
        "a name needs 1 to 24 visible characters; choose another"
    )


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f468\u200d\U0001f680",
        "\u0645\u064a\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    ],
    ids=ascii,
)
def test_a_name_with_joiners_is_a_name(site: Site, name: str) -> None:
    made = site.post("/api/matches", {**NEW, "name": name})
    seats = made["seats"]
    assert isinstance(seats, list)
    assert seats[0]["name"] == name


# Every answer


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/", []),
        ("GET", "/m/none", []),
        ("GET", "/api/choices", []),
        ("GET", "/nothing", []),
        ("GET", f"/api/matches/{'x' * 22}", []),
        ("PUT", "/api/choices", []),
        ("POST", "/api/matches", []),
        ("POST", "/api/matches", [("origin", "https://elsewhere.example")]),
        ("GET", "/", [("host", "elsewhere.example")]),
        ("GET", "/openapi.json", []),
        ("GET", "/healthz", []),
    ],
)
def test_every_response_has_security_headers(
    site: Site, method: str, path: str, headers: list[tuple[str, str]]
) -> None:
    assert_guarded(site.ask(method, path, b"", headers))


def test_an_answer_that_fails_halfway_breaks_off() -> None:
    async def fail(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise ZeroDivisionError

    async def run() -> Answer:
        guard = SecurityMiddleware(
            fail,
            metrics=Metrics(),
            hosts=["localhost"],
            public_url=None,
            seconds_for_a_body=WAIT_SECONDS,
        )
        exchange = Exchange(guard, scope_of("GET", "/"))
        answer = await exchange.answer()
        with pytest.raises(ZeroDivisionError):  # so the connection is closed
            await exchange.task
        return answer

    answer = asyncio.run(run())
    assert (answer.status, answer.body) == (200, b"half")
    assert_guarded(answer)


def test_a_module_of_the_page_is_never_taken_for_anything_else(site: Site) -> None:
    named = re.search(r'src="(/page/[^"]+\.js)"', site.get("/").text)
    assert named is not None
    module = site.get(named[1])
    assert module.status == 200
    assert module.header("content-type") == "text/javascript; charset=utf-8"
    assert module.header("x-content-type-options") == "nosniff"
    assert module.header("cross-origin-resource-policy") == "same-origin"


def assert_guarded(answer: Answer) -> None:
    policy = answer.header("content-security-policy")
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert answer.header("cross-origin-opener-policy") == "same-origin"
    assert answer.header("cross-origin-resource-policy") == "same-origin"
    assert not answer.header("access-control-allow-origin")
    assert not answer.header("server")


def test_reflected_path_cannot_inject_headers(site: Site) -> None:
    for path in ("/m/%0d%0aSet-Cookie:%20a=b", "/page/%0d%0aSet-Cookie:%20a=b"):
        answer = site.get(path)
        assert not answer.header("set-cookie")
        assert not any("\n" in value for _, value in answer.headers)


def test_a_log_has_no_secret_id_body_or_query(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ada, bob = site.pair(name="Wilhelmina")
    play((ada, bob), 5)
    site.get(f"{ada.path}/review?number=31337", [ada.bearer])
    site.get("/api/solve?game=madness&target=31337")
    site.get("/nowhere/31337")
    lines = [record.getMessage() for record in caplog.records]
    access = [line for line in lines if " ms" in line]
    assert "POST /api/matches/{id}/log 200" in "\n".join(access)
    assert all(re.fullmatch(r"\S+ \S+ \d+ [\d.]+ ms", line) for line in access)
    text = "\n".join(lines)
    known = (ada.secret, bob.secret, ada.match, "Wilhelmina", "31337", "request-")
    assert not any(secret in text for secret in known)
    metrics = site.get("/metrics").text
    assert not any(secret in metrics for secret in known)


def test_stored_data_opens_no_seat(tmp_path: Path) -> None:
    with Site(make_server(make_store(tmp_path)).application()) as site:
        ada, bob = site.pair()
        request_id = "a-request-id-to-look-for"
        ada.move(5, request_id=request_id)
        assert ada.state["moves"] == [5]
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert ada.match.encode() in kept
    for secret in (ada.secret, bob.secret, request_id, "request-0000"):
        assert secret.encode() not in kept


def test_a_match_is_known_after_the_server_starts_again(tmp_path: Path) -> None:
    with Site(make_server(make_store(tmp_path)).application()) as site:
        ada, bob = site.pair()
        play((ada, bob), 5)
        before = bob.state
    with Site(make_server(make_store(tmp_path)).application()) as again:
        assert again.get(ada.path, [bob.bearer]).json == before
        body: Json = {"ask": {"do": "move", "multiplier": 2}, "seq": 3}
        assert again.post(f"{ada.path}/log", body, [bob.bearer])["moves"] == [5, 2]


# Floods


def test_address_above_the_rate_limit_is_told_to_wait() -> None:
    allowed = dict.fromkeys(RequestKind, 2)
    with Site(
        make_server(rates=RateLimits({**allowed}, clock=lambda: 0)).application()
    ) as site:
        ada, _ = site.pair()
        refused = site.post("/api/matches", NEW)
        assert refused.error == (429, "too_many")
        assert refused.header("retry-after") == "60"
        assert_guarded(refused)
        elsewhere = "203.0.113.9"
        assert site.post("/api/matches", NEW, address=elsewhere).status == 201
        for _ in range(2):
            assert site.get(ada.path).status == 200
            assert site.get(f"{ada.path}/hint").status == 200
        assert site.get(ada.path).error == (429, "too_many")
        assert site.get(f"{ada.path}/events").error == (429, "too_many")
        assert site.get(f"{ada.path}/hint").error == (429, "too_many")
        assert site.get("/healthz").status == 200


def test_a_class_of_thirty_can_play_behind_one_address() -> None:
    games = 30
    assert games * 4 <= DEFAULT_RATES[RequestKind.CREATE]
    assert games * 60 <= DEFAULT_RATES[RequestKind.STEP]
    assert games * 60 <= DEFAULT_RATES[RequestKind.THINK]
    assert games * 120 <= DEFAULT_RATES[RequestKind.READ]
