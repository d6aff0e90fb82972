"""A provider with a batch endpoint in the form of OpenAI, which notes what was submitted."""

import atexit
import http.client
import http.server
import json
import subprocess
import threading

from serving import Listener

PATIENCE = 60


def content(upload):
    """The lines of the file in a multipart body."""
    return [json.loads(line) for line in upload.split(b"\r\n") for line in line.split(b"\n") if line.startswith(b"{")]


class Provider:
    """Passes requests on to the scripted model."""

    def __init__(self, program):
        scripted = subprocess.Popen([program], stdout=subprocess.PIPE)
        atexit.register(scripted.kill)
        target = scripted.stdout.readline().decode().strip().removeprefix("http://")
        # The key of each call in an uploaded file, by the file's id, and those of each submitted batch.
        files, self.submitted, lock = {}, [], threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, body=None):
                headers = {name: self.headers[name] for name in ("content-type", "authorization") if self.headers[name]}
                connection = http.client.HTTPConnection(target, timeout=PATIENCE)
                connection.request(self.command, self.path, body, headers)
                response = connection.getresponse()
                answer = response.read()
                connection.close()
                return response.status, answer

            def reply(self, status, body):
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                status, body = self.answer()
                if self.path.endswith("/content"):
                    body = b"\n".join(self.without_cache(json.loads(line)) for line in body.splitlines() if line)
                self.reply(status, body)

            def without_cache(self, line):
                # Which calls share a prefix depends on their order, and so would the report.
                if line.get("response"):
                    line["response"]["body"]["usage"]["prompt_tokens_details"] = {"cached_tokens": 0}
                return json.dumps(line).encode()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                status, answer = self.answer(body)
                if status < 300:
                    with lock:
                        if self.path.endswith("/files"):
                            files[json.loads(answer)["id"]] = [line["custom_id"] for line in content(body)]
                        elif self.path.endswith("/batches"):
                            outer.submitted.append(files[json.loads(body)["input_file_id"]])
                self.reply(status, answer)

            def log_message(self, *_):
                pass

        outer = self
        listener = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{listener.server_address[1]}/v1"
        self.settings = "[providers.openai]\nbatch_wait_seconds = 0.2\n"

    @property
    def calls(self):
        """The keys of all submitted calls."""
        return [key for keys in self.submitted for key in keys]
