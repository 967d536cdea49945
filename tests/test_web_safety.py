"""Whom the page's server refuses, and which files it never reads."""

import gzip
import os

import httpx
import pytest
from web_server import TOKEN, Page, Running, raw, running_server
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from outplay.errors import OptionError
from outplay.web.page_files import PAGE, PageFiles
from outplay.web.server import Server

pytest_plugins = ["served"]


# Who is refused.


def test_the_address_with_the_token_gives_a_cookie_and_leads_to_the_page(server: Running):
    answer = httpx.get(server.entrance)
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"outplay-{server.port}=")
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    assert server.token not in cookie
    assert '<script src="/page/js/enter.js"></script>' in answer.text
    assert server.token not in answer.text
    assert "<title>Outplay" in server.get("/").text


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong-token-of-the-tests", "/page/index.html", "/nothing"])
def test_without_the_token_nothing_is_served(server: Running, path):
    for headers in ({}, {"Cookie": f"outplay-{server.port}=wrong"}, {"Cookie": "outplay-1=" + server.cookie}):
        answer = httpx.get(server.address.rstrip("/") + path, headers=headers)
        assert answer.status_code == 403
        assert "address that outplay web has printed" in answer.text


def test_the_odd_cookie_of_another_program_does_not_hide_ours(server: Running):
    answer = server.get("/", Cookie=f'x={{"a": [1, 2]}}; {server.headers["Cookie"]}; y="')
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""])
def test_a_foreign_host_is_refused(server: Running, host):
    host = host.format(port=server.port)
    request = f"GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {server.headers['Cookie']}\r\nConnection: close\r\n\r\n"
    assert raw(server.port, request).startswith(b"HTTP/1.1 421 ")


def test_localhost_is_no_foreign_host(server: Running):
    assert server.get("/", Host=f"localhost:{server.port}").status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", None])
def test_a_socket_of_a_foreign_origin_is_refused(server: Running, origin):
    headers = {"Cookie": server.headers["Cookie"]}
    if origin is not None:
        headers["Origin"] = origin.format(port=server.port)
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://{server.host}/ws", additional_headers=headers, proxy=None):
        pass


def test_a_socket_without_the_cookie_is_refused(server: Running):
    headers = {"Origin": server.headers["Origin"]}
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://{server.host}/ws", additional_headers=headers, proxy=None):
        pass


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_reading_methods_are_allowed(server: Running, method):
    answer = httpx.request(method, server.address, headers=server.headers)
    assert answer.status_code == 405


def test_a_foreign_origin_may_not_even_read(server: Running):
    assert server.get("/", Origin="http://evil.example").status_code == 403


def test_every_answer_has_the_security_headers(server: Running):
    for answer in (server.get("/"), server.get("/page/index.html"), httpx.get(server.address), server.get("/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert f"connect-src 'self' ws://{server.host};" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in answer.headers


def test_files_of_the_page_are_served_with_their_type_and_asked_for_anew(server: Running):
    assert server.get("/").headers["cache-control"] == "no-store"
    for file in sorted(file for file in PAGE.rglob("*") if file.is_file()):
        answer = server.get(f"/page/{file.relative_to(PAGE).as_posix()}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
        assert (
            server.get(f"/page/{file.relative_to(PAGE).as_posix()}", **{"If-None-Match": answer.headers["etag"]}).status_code
            == 304
        )
        if file.suffix == ".js":
            assert answer.headers["content-type"].startswith("text/javascript")
    constants = server.get("/page/js/constants.js")  # of no file
    assert constants.headers["content-type"].startswith("text/javascript")
    assert constants.text.startswith("export const ")


@pytest.mark.parametrize("path", ["/", "/page/style.css", "/page/js/search.js", "/page/js/constants.js"])
def test_files_are_compressed_for_a_browser_that_accepts_it_and_for_no_other(server: Running, path):
    packed = server.get(path, **{"Accept-Encoding": "gzip, deflate, br"})
    assert packed.headers["content-encoding"] == "gzip"
    for accepted in ("identity", "br", "gzip;q=0, br", "*;q=0"):
        plain = server.get(path, **{"Accept-Encoding": accepted})
        assert "content-encoding" not in plain.headers
        assert plain.content == packed.content  # which the client has unpacked
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
        for answer in (plain, packed):
            assert answer.headers["vary"] == "Accept-Encoding"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "content-security-policy" in answer.headers
        assert plain.headers["content-type"] == packed.headers["content-type"]


def test_a_file_that_has_changed_is_compressed_anew(tmp_path):
    file = tmp_path / "note.css"
    for text in ("a { color: red }", "a { color: green }"):
        file.write_text(text)
        os.utime(file, ns=(len(text), len(text)))
        scope = {"type": "http", "method": "GET", "headers": [(b"accept-encoding", b"gzip")]}
        answer = PageFiles().file_response(file, file.stat(), scope)
        assert gzip.decompress(bytes(answer.body)).decode() == text


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/page/..%2fapp.py", "/page//etc/passwd", "/app.py"])
def test_no_other_file_is_served(server: Running, path):
    request = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.headers['Cookie']}\r\nConnection: close\r\n\r\n"
    assert raw(server.port, request).startswith(b"HTTP/1.1 404 ")


def test_other_machines_are_let_in_only_with_a_token_of_ones_own():
    with pytest.raises(OptionError, match="--host 0.0.0.0 lets other machines in.*--token TEXT, at least 16"):
        Server(host="0.0.0.0", port=0)
    with pytest.raises(OptionError, match="a token of 5 characters can be guessed"):
        Server(host="0.0.0.0", port=0, token="12345")
    server = Server(host="0.0.0.0", port=0, token=TOKEN)
    server.socket.close()
    guard = server.app
    assert guard.knows(f"192.168.1.5:{server.port}")
    assert not guard.knows(f"evil.example:{server.port}")
    assert not guard.knows("192.168.1.5:1")
    server = Server(port=0)
    server.socket.close()
    assert server.host == "127.0.0.1"
    assert not server.app.knows(f"192.168.1.5:{server.port}")


def test_the_token_is_another_one_each_time():
    servers = [Server(port=0) for _ in range(2)]
    assert servers[0].token != servers[1].token
    assert len(servers[0].token) >= 32
    for server in servers:
        server.socket.close()


# Files that are nobody's business.


@pytest.mark.parametrize(
    "game",
    ["nonsense", "mygame.py", "../mypile.py", "/tmp/mypile.py", "mypile.py:game", "./mypile.py", "C:\\mypile.py", "a/b", ""],
)
def test_a_page_cannot_load_a_file(page: Page, game):
    assert "outplay web mygame.py" in page.ask("view", game=game)["message"]


def test_a_state_is_never_taken_for_the_name_of_a_file(page: Page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_text("a very secret line")
    for name in ("secret", str(tmp_path / "secret")):
        assert "very secret" not in page.ask("read", game="extended-connect-four", text=name)["message"]
        assert "very secret" not in page.ask("view", game="extended-connect-four", start=name)["message"]


def test_nor_by_a_game_of_the_users_own_that_is_made_of_a_built_in_one(tmp_path):
    (tmp_path / "secret").write_text("a very secret line")
    (tmp_path / "mine.py").write_text('from outplay import load\n\ngame = load("extended-connect-four").replace(name="mine")\n')
    with running_server([str(tmp_path / "mine.py")]) as server, server.page() as page:
        assert "very secret" not in page.ask("read", game="mine.py", text=str(tmp_path / "secret"))["message"]
