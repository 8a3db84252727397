"""A web server on this machine with a few things to fetch, some of them broken."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Shelf(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        if self.path == "/short":
            self.send_header("Content-Length", "100")
        self.end_headers()
        try:
            if self.path == "/endless":
                while True:
                    self.wfile.write(b"x" * 1_000_000)
            self.wfile.write(b"words")
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it)
        return


@contextmanager
def served() -> Iterator[str]:
    """Serve ``/words``, ``/missing``, ``/short`` and ``/endless``; gives the address."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), Shelf)
    made.daemon_threads = True
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}"
    finally:
        made.shutdown()
        made.server_close()
        thread.join(5)
