"""Serves the shop on this machine. In production, put the functions of shop.py behind the framework that you use."""

import hmac, json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from shop import SHOP_TOKEN, Refusal, list_strains, place_order, take_event


class Handler(BaseHTTPRequestHandler):
    timeout = 30  # Whoever sends slowly does not keep a thread for ever.

    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        self.answer(self.post)

    def get(self):
        url = urlsplit(self.path)
        if url.path != "/strains":
            raise Refusal(404, "There is nothing here")
        return 200, list_strains(parse_qs(url.query).get("country", ["PRT"])[0])

    def post(self):
        if self.path == "/hooks/keyfront":
            take_event(self.headers, self.read(1_000_000))
            return 204, None
        if self.path != "/orders":
            raise Refusal(404, "There is nothing here")
        # Only your own programs may order: whoever can call this orders for any of your clients.
        if not hmac.compare_digest(self.headers.get("authorization", "").encode(), f"Bearer {SHOP_TOKEN}".encode()):
            raise Refusal(401, "The token is missing or wrong")
        try:
            order = json.loads(self.read(50_000))
        except ValueError:
            raise Refusal(400, "The body must be JSON")
        return 201, place_order(order)

    def read(self, max_bytes):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > max_bytes:
            raise Refusal(413, "The body is too large, or does not say how large it is")
        return self.rfile.read(int(length))

    def answer(self, work):
        try:
            status, content = work()
        except Refusal as refusal:
            status, content = refusal.status, refusal.content
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT") or 4000)), Handler)
print(f"Ready: http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
