"""The files of the page, compressed for browsers that accept it: they are text, and shrink to about a third."""

import gzip
import mimetypes
import os
from functools import cache, lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from outplay.web.page_constants import module

PAGE = Path(__file__).parent / "page"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
KEPT = 200  # compressed files


class PageFiles(StaticFiles):
    """Serves the files of the page."""

    def __init__(self) -> None:
        for suffix, kind in TYPES.items():  # some systems know other types, and a browser then refuses the file
            mimetypes.add_type(kind, suffix)
        super().__init__(directory=PAGE)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the response with a file, or the one that says that it has not changed."""
        plain = super().file_response(full_path, stat_result, scope, status_code)
        plain.headers["ETag"] = f"W/{plain.headers['etag']}"  # weak: the same for both ways to send it
        plain.headers.add_vary_header("Accept-Encoding")
        if plain.status_code != 200 or Path(full_path).suffix not in TYPES or not accepts_gzip(scope):
            return plain
        kept = {name: plain.headers[name] for name in ("content-type", "etag", "last-modified", "vary")}
        body = _compressed_file(os.fspath(full_path), stat_result.st_mtime_ns)
        return Response(body, headers={**kept, "Content-Encoding": "gzip"})

    def index(self, scope: Scope) -> Response:
        """Return the answer with the page itself."""
        file = PAGE / "index.html"
        return self.file_response(file, file.stat(), scope)


def constants_response(scope: Scope, tournaments: tuple[str, ...] = ()) -> Response:
    """Return the answer with the module of constants, which no file holds. *tournaments*: the labels of the stores that are shown."""
    headers = {"Vary": "Accept-Encoding"}
    if not accepts_gzip(scope):
        return Response(_constants(tournaments), media_type=TYPES[".js"], headers=headers)
    return Response(_compressed_constants(tournaments), media_type=TYPES[".js"], headers={**headers, "Content-Encoding": "gzip"})


def accepts_gzip(scope: Scope) -> bool:
    """Return whether the browser that asks accepts gzip."""
    weights = {}
    for part in Headers(scope=scope).get("accept-encoding", "").split(","):
        name, _, weight = part.partition(";")
        weights[name.strip().lower()] = weight.replace(" ", "").lower()
    return weights.get("gzip", weights.get("*", "q=0")) not in ("q=0", "q=0.0", "q=0.00", "q=0.000")


@lru_cache(KEPT)
def _compressed_file(path: str, changed: int) -> bytes:
    """Return the file compressed; *changed* is when it was written, so that a new version is compressed anew."""
    return gzip.compress(Path(path).read_bytes(), mtime=0)


@cache
def _constants(tournaments: tuple[str, ...]) -> bytes:
    return module(TOURNAMENTS=tournaments).encode()


@cache
def _compressed_constants(tournaments: tuple[str, ...]) -> bytes:
    return gzip.compress(_constants(tournaments), mtime=0)
