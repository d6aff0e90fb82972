"""The S3 server of moto, behind a proxy that fails, loses answers and writes slowly."""

import atexit
import collections
import http.client
import http.server
import random
import socket
import subprocess
import threading
import time

from serving import Listener, expect

# Of the requests to the store, this share fails before the server gets it, and this share after it.
REFUSED, LOST = 0.1, 0.05
# Of the writes, this share takes this many seconds.
SLOW, SECONDS = 0.1, 1.0
BUCKET = "venue"
# Seconds until a server answers.
PATIENCE = 60
KEYS = {"AWS_ACCESS_KEY_ID": "organizer", "AWS_SECRET_ACCESS_KEY": "rope-and-garden", "AWS_REGION": "us-east-1"}


class Store:
    """moto's S3, and a proxy that makes faults."""

    def __init__(self, program, seed):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(server.kill)
        self.target, self.counts = f"127.0.0.1:{port}", collections.Counter()
        self.random, self.lock = random.Random(seed), threading.Lock()
        deadline = time.monotonic() + PATIENCE
        while self.forward("PUT", f"/{BUCKET}", b"", {"Authorization": "AWS4-HMAC-SHA256 Credential=organizer/20260101/us-east-1/s3/aws4_request"}) is None:
            expect(time.monotonic() < deadline and server.poll() is None, "moto_server does not answer")
            time.sleep(0.2)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

        for method in ["GET", "HEAD", "PUT", "POST", "DELETE"]:
            setattr(Handler, f"do_{method}", lambda handler: self.answer(handler))

        listener = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.place = f"s3://{BUCKET}/2026"
        self.environment = {**KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{listener.server_address[1]}", "AWS_ALLOW_HTTP": "true"}

    def said(self):
        counts = self.counts
        return (
            f"of {counts['requests']} requests to the store, {counts['refused']} were refused, {counts['lost']} lost their answer, "
            f"and {counts['slow']} writes took {SECONDS:.0f} s longer"
        )

    def forward(self, method, path, body, headers):
        """The answer of the server; None if there is none."""
        connection = http.client.HTTPConnection(self.target, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        except OSError:
            return None
        finally:
            connection.close()

    def fault(self, method):
        with self.lock:
            self.counts["requests"] += 1
            lot, is_slow = self.random.random(), method == "PUT" and self.random.random() < SLOW
            kind = "refused" if lot < REFUSED else "lost" if lot < REFUSED + LOST else None
            self.counts.update([kind] if kind else [], slow=is_slow)
            return kind, is_slow

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        kind, is_slow = self.fault(handler.command)
        if is_slow:
            time.sleep(SECONDS)
        answered = None
        if kind != "refused":
            answered = self.forward(handler.command, handler.path, body, dict(handler.headers))
        if kind or answered is None:
            answered = (500, [], b"<Error><Code>InternalError</Code></Error>")
        status, headers, body = answered
        handler.send_response(status)
        length = dict((name.lower(), value) for name, value in headers).get("content-length")
        for name, value in headers:
            if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server"):
                handler.send_header(name, value)
        is_head = handler.command == "HEAD"
        handler.send_header("content-length", length if is_head and length else str(len(body)))
        handler.end_headers()
        if not is_head:
            handler.wfile.write(body)
