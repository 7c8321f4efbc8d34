#!/usr/bin/env python3
"""A web server for tests: does with each path what plan.json in its folder says, and notes each
request in requests.jsonl. Usage: server.py FOLDER [CERTIFICATE KEY [TLSv1.1]]; writes its port to FOLDER/port."""
import http.server, json, os, ssl, sys, threading, time

folder = sys.argv[1]
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, status, body=""):
        line = json.dumps({
            "method": self.command, "path": self.path, "status": status, "body": body,
            "headers": {name.lower(): value for name, value in self.headers.items()}})
        with lock, open(f"{folder}/requests.jsonl", "a") as file:
            file.write(line + "\n")

    def plan(self):
        """The path's entry; of a list the first, which is then gone, down to the last."""
        with lock:
            with open(f"{folder}/plan.json") as file:
                plan = json.load(file)
            entry = plan.get(self.path, {"status": 404})
            if isinstance(entry, list):
                first = entry[0]
                if len(entry) > 1:
                    plan[self.path] = entry[1:]
                    with open(f"{folder}/plan.new", "w") as file:
                        json.dump(plan, file)
                    os.replace(f"{folder}/plan.new", f"{folder}/plan.json")
                return first
            return entry

    def answer(self, status, headers, content=b"", body=""):
        self.note(status, body)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers and status != 304 and not self.close_connection:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        entry = self.plan()
        self.answer(entry.get("status", 200), entry.get("headers", {}), body=body)

    def do_GET(self):
        entry = self.plan()
        headers = dict(entry.get("headers", {}))
        if "file" not in entry:
            return self.answer(entry.get("status", 200), headers, entry.get("text", "").encode())
        with open(f"{folder}/{entry['file']}", "rb") as file:
            content = file.read()
        etag, modified = headers.get("ETag"), headers.get("Last-Modified")
        known = self.headers.get("If-None-Match")
        if (etag and known == etag) or (
                not known and modified and self.headers.get("If-Modified-Since") == modified):
            return self.answer(304, headers)
        status, start = 200, 0
        wanted = self.headers.get("Range")
        if wanted and etag and self.headers.get("If-Range") == etag:
            start = int(wanted[len("bytes="):].rstrip("-"))
            status = 206
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        rest = content[start:]
        if "open" in entry:
            # The file ends where the connection does; of TLS no end is told.
            self.close_connection = True
            return self.answer(status, headers, rest)
        headers["Content-Length"] = str(len(rest))
        if "cut" in entry:
            # As when the line breaks: less than was announced, then the end.
            self.answer(status, headers, rest[:entry["cut"]])
            self.close_connection = True
            time.sleep(0.2)
            return
        if "holdAt" in entry:
            # A slow line: the rest comes when the file "go" is there.
            self.answer(status, headers, rest[:entry["holdAt"]])
            while not os.path.exists(f"{folder}/go"):
                time.sleep(0.05)
            self.wfile.write(rest[entry["holdAt"]:])
            return
        self.answer(status, headers, rest)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    if sys.argv[4:] == ["TLSv1.1"]:
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(f"{folder}/port.new", "w") as file:
    file.write(str(server.server_address[1]))
os.replace(f"{folder}/port.new", f"{folder}/port")
server.serve_forever()
