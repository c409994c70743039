#!/usr/bin/env python3
"""Devices upload to the servers of Dashboards/collect, through an unreliable network.

    swift build -c release --product looptrail && swift build -c release --product UploadClient && Tools/conformance/collect.py

A proxy between the devices and a real nginx or Apache refuses, cuts, stalls, answers by itself, loses replies and redirects. Devices are
killed at random, two processes share each device's folder, and the server is restarted. Afterwards every event whose flush had returned is
at the server exactly once, nothing is left on the devices, and `looptrail check` finds the server's folder sound.
"""

import base64
import collections
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable

import harness
from harness import Checks, Looptrail, arguments, event_files

COLLECT = os.path.join(harness.ROOT, "Dashboards/collect")
TOKEN = "change-me"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition: Callable[[], Any], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"{what} did not come about in {seconds:.0f} s")
        time.sleep(0.02)


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def replaced(text: str, pairs: dict[str, str]) -> str:
    """Replaces texts. Exits if one is missing: the configuration has changed then, and this script must follow."""
    for old, new in pairs.items():
        if old not in text:
            sys.exit(f"the configuration has no `{old}` any more: mend {os.path.basename(__file__)}")
        text = text.replace(old, new)
    return text


class Server:
    """A server process with the configuration of Dashboards/collect: unchanged with a `certificate`, else without TLS."""

    def __init__(self, scratch: str, certificate: tuple[str, str] | None = None):
        self.scratch = scratch
        self.port = free_port()
        self.files = os.path.join(scratch, "collected")
        os.makedirs(os.path.join(self.files, "shop"), exist_ok=True)
        self.tls = certificate is not None
        self.process: subprocess.Popen | None = None
        self.configure(certificate)

    def configure(self, certificate: tuple[str, str] | None) -> None:
        raise NotImplementedError

    def command(self) -> list[str]:
        raise NotImplementedError

    @property
    def address(self) -> str:
        return f"{'https://localhost' if self.tls else 'http://127.0.0.1'}:{self.port}/in/"

    def start(self) -> None:
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, start_new_session=True)
        until(lambda: answers(self.port) or self.process.poll() is not None, "the server's start")
        if self.process.poll() is not None:
            sys.exit(f"{self.command()} ended with {self.process.returncode}")

    def stop(self, harshly: bool = False) -> None:
        if self.process:
            # Signals the whole process group that this script started, because workers outlive a killed master.
            os.killpg(self.process.pid, signal.SIGKILL if harshly else signal.SIGTERM)
            self.process.wait()
            self.process = None
            until(lambda: not answers(self.port), "the server's end")


class Nginx(Server):
    def configure(self, certificate: tuple[str, str] | None) -> None:
        with open(os.path.join(COLLECT, "nginx.conf")) as file:
            text = replaced(file.read(), {"/srv/collect": self.files})
        if certificate:
            changes = {"listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;", "/etc/ssl/collect.pem": certificate[0],
                       "/etc/ssl/private/collect.key": certificate[1]}
        else:
            changes = {"listen 443 ssl;": f"listen 127.0.0.1:{self.port};", "    ssl_certificate     /etc/ssl/collect.pem;\n": "",
                       "    ssl_certificate_key /etc/ssl/private/collect.key;\n": ""}
        self.file = os.path.join(self.scratch, "nginx.conf")
        with open(self.file, "w") as file:
            file.write(f"""
                daemon off; worker_processes 2; pid {self.scratch}/nginx.pid; error_log {self.scratch}/error.log;
                {'user root;' if os.geteuid() == 0 else ''}
                events {{ }}
                http {{
                    access_log {self.scratch}/access.log;
                    proxy_temp_path {self.scratch}/t1; fastcgi_temp_path {self.scratch}/t2; uwsgi_temp_path {self.scratch}/t3; scgi_temp_path {self.scratch}/t4;
                    {replaced(text, changes)}
                }}""")

    def command(self) -> list[str]:
        return [harness.tool("nginx") or "/usr/sbin/nginx", "-p", self.scratch, "-e", f"{self.scratch}/error.log", "-c", self.file]


class Apache(Server):
    MODULES = ["mpm_event", "authz_core", "dav", "dav_fs", "rewrite", "setenvif", "ssl", "socache_shmcb"]

    def configure(self, certificate: tuple[str, str] | None) -> None:
        with open(os.path.join(COLLECT, "apache.conf")) as file:
            text = replaced(file.read(), {"/srv/collect": self.files, "*:443": f"127.0.0.1:{self.port}",
                                          "/var/lib/apache2/collect.lock": f"{self.scratch}/dav.lock"})
        if certificate:
            changes = {"/etc/ssl/collect.pem": certificate[0], "/etc/ssl/private/collect.key": certificate[1]}
        else:
            changes = {"    SSLEngine on\n": "", "    SSLCertificateFile    /etc/ssl/collect.pem\n": "",
                       "    SSLCertificateKeyFile /etc/ssl/private/collect.key\n": ""}
        self.file = os.path.join(self.scratch, "apache.conf")
        # Apache drops the rights of root for those of www-data, who must be able to reach the files.
        shutil.chown(self.files, "www-data") if os.geteuid() == 0 else None
        shutil.chown(os.path.join(self.files, "shop"), "www-data") if os.geteuid() == 0 else None
        os.chmod(self.scratch, 0o755)
        os.chmod(os.path.dirname(self.scratch), 0o755)
        state = os.path.join(self.scratch, "state")
        os.makedirs(state, exist_ok=True)
        os.chmod(state, 0o777)
        text = text.replace(f"{self.scratch}/dav.lock", f"{state}/dav.lock")
        with open(self.file, "w") as file:
            file.write("\n".join(
                [f"LoadModule {one}_module /usr/lib/apache2/modules/mod_{one}.so" for one in self.MODULES]
                + [f'ServerRoot "{self.scratch}"', "ServerName localhost", f"PidFile {self.scratch}/apache.pid", f"Listen 127.0.0.1:{self.port}",
                   f"ErrorLog {self.scratch}/error.log", f"DefaultRuntimeDir {state}", f"Mutex file:{state}", "User www-data", "Group www-data",
                   replaced(text, changes), ""]))

    def command(self) -> list[str]:
        return ["/usr/sbin/apache2", "-D", "FOREGROUND", "-f", self.file]


def certificate(scratch: str) -> tuple[str, str]:
    pair = (os.path.join(scratch, "collect.pem"), os.path.join(scratch, "collect.key"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost", "-out", pair[0], "-keyout", pair[1]], check=True, stderr=subprocess.DEVNULL)
    os.chmod(pair[1], 0o644)
    return pair


class Listener:
    """Accepts connections and gives each a thread."""

    def __init__(self, port: int = 0):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", port))
        self.socket.listen(200)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.guarded, args=(connection,), daemon=True).start()

    def guarded(self, connection: socket.socket) -> None:
        try:
            while self.one(connection):
                pass
        except (OSError, ValueError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def one(self, connection: socket.socket) -> bool:
        raise NotImplementedError


def is_open(connection: socket.socket) -> bool:
    """Whether the other end still has the connection open, even if bytes from it are unread here."""
    try:
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1
    except OSError:
        return False


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Request:
    def __init__(self, connection: socket.socket):
        bytes_ = b""
        while b"\r\n\r\n" not in bytes_:
            more = connection.recv(65_536)
            if not more:
                raise ValueError("the client went")
            bytes_ += more
        head, self.begun = bytes_.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.path, _ = lines[0].split(" ")
        self.headers = {name.strip().lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
        self.length = int(self.headers.get("content-length", 0))
        self.name = self.path.rsplit("/", 1)[-1]

    def body(self, connection: socket.socket, upto: int | None = None) -> bytes:
        """The first bytes of the body, all by default."""
        wanted = self.length if upto is None else min(upto, self.length)
        if self.headers.get("expect", "").lower() == "100-continue" and not self.begun:
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        while len(self.begun) < wanted:
            more = connection.recv(65_536)
            if not more:
                raise ValueError("the client went")
            self.begun += more
        return self.begun[:wanted]


def answer(connection: socket.socket, status: int, request: Request | None = None, **headers: str) -> bool:
    """Answers, and returns whether the connection stays open. If the request asks to close it, the answer says so, as RFC 9112 requires."""
    if request and request.headers.get("connection", "").lower() == "close":
        headers["Connection"] = "close"
    lines = [f"HTTP/1.1 {status} X", "Content-Length: 0"] + [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    return headers.get("Connection") != "close"


class Trap(Listener):
    """The origin to which no request may ever go."""

    def __init__(self) -> None:
        self.caught: list[str] = []
        super().__init__()

    def one(self, connection: socket.socket) -> bool:
        request = Request(connection)
        self.caught.append(f"{request.method} {request.path}")
        answer(connection, 201)
        return False


class Proxy(Listener):
    """A proxy before a server, which does to requests what bad networks and servers do."""

    FAULTS = ["refuse", "cut", "stall", "500", "503", "429", "413", "401", "lose reply", "lose reply", "redirect away", "redirect see other",
              "redirect here", "redirect loop", "half a reply"]

    def __init__(self, backend: Callable[[], int], trap: int, seed: int, faults: float):
        self.backend = backend
        self.trap = trap
        self.faults = faults
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.counts: collections.Counter[str] = collections.Counter()
        self.under_way: dict[str, list[socket.socket]] = collections.defaultdict(list)
        self.complaints: list[str] = []
        super().__init__()

    def one(self, connection: socket.socket) -> bool:
        with self.lock:
            fault = self.random.choice(self.FAULTS) if self.random.random() < self.faults else "none"
            share = self.random.random()
        if fault == "refuse":
            self.counts[fault] += 1
            reset(connection)
            return False
        request = Request(connection)
        is_again = request.path.startswith("/again/")
        if is_again:
            request.path = request.path.removeprefix("/again")
            fault = "none"
        with self.lock:
            self.counts[fault] += 1
            # A killed device is no sender any more, even if this proxy still works on what it sent.
            if request.method == "PUT" and any(is_open(other) for other in self.under_way[request.name]):
                self.complaints.append(f"{request.name} is sent twice at the same time")
            self.under_way[request.name].append(connection)
        try:
            return self.treat(connection, request, fault, share)
        finally:
            with self.lock:
                self.under_way[request.name].remove(connection)

    def treat(self, connection: socket.socket, request: Request, fault: str, share: float) -> bool:
        if request.method == "PUT":
            self.look_at(request)
        if fault == "cut":
            # The server gets the part that came, as if the device went out of reach.
            part = request.body(connection, int(request.length * share))
            self.forward(request, part)
            reset(connection)
            return False
        if fault == "stall":
            request.body(connection, int(request.length * share))
            time.sleep(share)
        if fault.isdigit():
            if share < 0.5:
                request.body(connection)
            after = {"Retry_After": "0"} if share < 0.3 else {}
            return answer(connection, int(fault), request, **after, **({} if share < 0.5 else {"Connection": "close"}))
        if fault == "redirect here":
            request.body(connection)
            return answer(connection, 307 if share < 0.5 else 308, request, Location=f"/again{request.path}")
        if fault == "redirect loop":
            request.body(connection)
            return answer(connection, 307, request, Location=request.path)
        if fault.startswith("redirect"):
            status = {"redirect away": 307 if share < 0.5 else 302, "redirect see other": 303 if share < 0.5 else 301}[fault]
            request.body(connection)
            away = f"http://127.0.0.1:{self.trap}{request.path}"
            return answer(connection, status, request, Location=away if fault == "redirect away" else f"/again{request.path}")
        body = request.body(connection)
        if request.method == "PUT":
            digest = f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"
            if request.headers.get("repr-digest") != digest:
                self.complaints.append(f"{request.name}: the digest is not that of the body")
        reply = self.forward(request, body)
        if reply is None:
            reset(connection)
            return False
        if fault == "lose reply":
            reset(connection)
            return False
        if fault == "half a reply":
            # Resets and does not close: FoundationNetworking crashes if a response's head ends without an error.
            connection.sendall(reply[:int(len(reply) * share)])
            reset(connection)
            return False
        connection.sendall(reply)
        return b"connection: close" not in reply.lower()

    def look_at(self, request: Request) -> None:
        kind = "application/vnd.apache.parquet" if request.name.endswith(".parquet") else "application/gzip"
        wanted = {"content-type": kind, "if-none-match": "*", "authorization": f"Bearer {TOKEN}"}
        for name, value in wanted.items():
            if request.headers.get(name) != value:
                self.complaints.append(f"{request.name}: {name} is {request.headers.get(name)}")
        for name in ("content-encoding", "transfer-encoding"):
            if name in request.headers:
                self.complaints.append(f"{request.name}: there is a {name}")
        if request.length == 0:
            self.complaints.append(f"{request.name}: an empty upload")

    def forward(self, request: Request, body: bytes) -> bytes | None:
        """The server's whole reply. `None` if there is none, or if the body was cut."""
        try:
            with socket.create_connection(("127.0.0.1", self.backend()), timeout=30) as server:
                lines = [f"{request.method} {request.path} HTTP/1.1", "Connection: close"]
                lines += [f"{name}: {value}" for name, value in request.headers.items() if name not in ("connection", "expect")]
                server.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)
                if len(body) < request.length:
                    return None
                reply = b""
                while more := server.recv(65_536):
                    reply += more
                return reply or None
        except OSError:
            return None


class Resetter(Listener):
    """Resets every connection somewhere in the body."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.resets = 0
        super().__init__()

    def one(self, connection: socket.socket) -> bool:
        request = Request(connection)
        request.body(connection, int(request.length * self.random.random()))
        self.resets += 1
        reset(connection)
        return False


class Device:
    """A folder, and processes that record into it and upload from it until they are killed."""

    def __init__(self, client: str, folder: str, address: str, log: str):
        self.client, self.folder, self.address, self.log = client, folder, address, log
        self.flushed: dict[str, int] = {}

    def start(self, *args: str, trusting: str | None = None) -> subprocess.Popen:
        command = [self.client, args[0], self.folder, self.address, *args[1:]]
        if trusting:
            # FoundationNetworking trusts the system's certificates only, so the process gets another file mounted in their place.
            command = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
                       'mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@"', trusting, *command]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(self.log, "a"), text=True,
                                env={**os.environ, "TOKEN": TOKEN})

    def record(self, session: str, events: int, dies_after: float | None = None) -> None:
        """Records this many events. With `dies_after`, the process records on and is killed that many seconds after they are flushed.

        If `events` is 0, the seconds count from its start. So it is killed in time, however fast the machine is.
        """
        process = self.start("record", session, str(events if dies_after is None else 100_000_000))
        killer = None

        def kill_when(flushed: int) -> None:
            nonlocal killer
            if dies_after is not None and killer is None and flushed >= events:
                killer = threading.Timer(dies_after, process.kill)
                killer.start()

        kill_when(0)
        for line in process.stdout:
            if line.startswith("flushed "):
                self.flushed[session] = int(line.split()[1])
                kill_when(self.flushed[session])
        code = process.wait()
        if code != (0 if dies_after is None else -signal.SIGKILL):
            raise RuntimeError(f"a device ended with {code}: {tail(self.log)}")

    def drain(self, trusting: str | None = None) -> subprocess.CompletedProcess:
        process = self.start("drain", trusting=trusting)
        out, _ = process.communicate(timeout=600)
        return subprocess.CompletedProcess([], process.returncode, out, tail(self.log))

    def left(self) -> list[str]:
        """Every event file that is still there, also in hidden folders."""
        return [os.path.join(path, name) for path, _, names in os.walk(self.folder) for name in names if ".ndjson.gz" in name]


def tail(path: str) -> str:
    """The end of a device's log, or the report of a crash in it."""
    with open(path, errors="replace") as file:
        text = file.read()
    crash = text.find("Fatal error")
    return text[-1500:] if crash < 0 else text[crash:crash + 2500]


def events_at(folder: str) -> collections.Counter[tuple[str, int]]:
    """How often each numbered event is in the collected files."""
    found: collections.Counter[tuple[str, int]] = collections.Counter()
    for path in event_files(folder):
        with gzip.open(path, "rt") as file:
            for line in file:
                one = json.loads(line)
                if "seq" in one:
                    found[one["session"], one["seq"]] += 1
    return found


def contract(checks: Checks, server: Server, context: ssl.SSLContext | None) -> None:
    """Checks what the configuration promises, request by request."""
    name, body = "events-00000000000000aa-0000000001.ndjson.gz", gzip.compress(b"x" * 5000)
    token = {"Authorization": f"Bearer {TOKEN}"}
    kind = type(server).__name__

    def ask(method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, str]]:
        connection = (http.client.HTTPSConnection("localhost", server.port, context=context, timeout=30) if context
                      else http.client.HTTPConnection("127.0.0.1", server.port, timeout=30))
        try:
            connection.request(method, path, body, {"If-None-Match": "*", **headers} if method == "PUT" else headers)
            reply = connection.getresponse()
            reply.read()
            return reply.status, {key.lower(): value for key, value in reply.getheaders()}
        except (BrokenPipeError, ConnectionResetError):
            return -1, {}
        finally:
            connection.close()

    path = f"/in/{name}"
    place = os.path.join(server.files, "shop", name)
    checks.that(f"{kind}: nothing without a token", ask("PUT", path, body)[0] == 401 and not os.path.exists(place))
    checks.that(f"{kind}: nothing with another token", ask("PUT", path, body, Authorization="Bearer change-you")[0] == 401)
    checks.equal(f"{kind}: HEAD of what is not there", ask("HEAD", path, **token)[0], 404)
    checks.equal(f"{kind}: PUT", ask("PUT", path, body, **token)[0], 201)
    with open(place, "rb") as file:
        checks.that(f"{kind}: the file is what was sent", file.read() == body)
    checks.equal(f"{kind}: PUT again", ask("PUT", path, b"other", **token)[0], 412)
    with open(place, "rb") as file:
        checks.that(f"{kind}: nothing is replaced", file.read() == body)
    status, headers = ask("HEAD", path, **token)
    checks.equal(f"{kind}: HEAD tells the length", (status, headers.get("content-length")), (200, str(len(body))))
    checks.equal(f"{kind}: HEAD without a token", ask("HEAD", path)[0], 401)
    for method in ("GET", "DELETE", "POST", "MKCOL", "PROPFIND", "MOVE", "OPTIONS"):
        checks.equal(f"{kind}: {method}", ask(method, path, **token)[0], 405)
    for odd in ("x.txt", "../shop/" + name, name + ".open", name + ".parquet.parquet", "." + name, "a/" + name, name.replace(".ndjson", ".log"), "", name[:-3], "%2e%2e/" + name):
        checks.that(f"{kind}: PUT of {odd}", ask("PUT", f"/in/{odd}", body, **token)[0] in (400, 403, 404), "is taken")
    big = name.replace("0001", "0002")
    checks.that(f"{kind}: a file above the limit", ask("PUT", f"/in/{big}", bytes(17 << 20), **token)[0] in (413, -1))
    checks.equal(f"{kind}: PUT of a summary", [ask("PUT", path + ".parquet", body, **token)[0] for _ in range(2)], [201, 412])
    checks.equal(f"{kind}: the files that are there", sorted(event_files(server.files, "")), [place, place + ".parquet"])
    os.remove(place)
    os.remove(place + ".parquet")


def chaos(checks: Checks, looptrail: Looptrail, client: str, server: Server, scratch: str, seed: int, seconds: float, devices: int) -> None:
    """Lets the devices upload through a bad network, and checks what arrived."""
    choose = random.Random(seed)
    trap = Trap()
    proxy = Proxy(lambda: server.port, trap.port, seed, faults=0.5)
    address = f"http://127.0.0.1:{proxy.port}/in/"
    fleet = [Device(client, os.path.join(scratch, f"device{number}"), address, os.path.join(scratch, f"device{number}.log"))
             for number in range(devices)]
    ends = time.monotonic() + seconds
    failures: list[str] = []
    kills = [0]

    def live(device: Device, number: int, process: int, moments: random.Random) -> None:
        life = 0
        try:
            while time.monotonic() < ends:
                life += 1
                session = f"d{number}-p{process}-{life}"
                if moments.random() < 0.5:
                    device.record(session, moments.choice([200, 500, 2000]))
                else:
                    device.record(session, moments.choice([0, 200, 500, 2000]), dies_after=moments.uniform(0, 0.1))
                    kills[0] += 1
        except Exception as error:  # noqa: BLE001: whatever ends a thread must end the script
            failures.append(f"{number}: {error}")

    threads = [threading.Thread(target=live, args=(device, number, process, random.Random(choose.random())))
               for number, device in enumerate(fleet) for process in (1, 2)]
    for thread in threads:
        thread.start()
    restarts = 0
    while time.monotonic() < ends:
        time.sleep(min(choose.uniform(1, 3), max(0.0, ends - time.monotonic())))
        server.stop(harshly=choose.random() < 0.5)
        time.sleep(choose.uniform(0, 0.5))
        server.start()
        restarts += 1
    for thread in threads:
        thread.join()
    checks.equal("devices that ended by themselves", failures, [])
    # The network gets better, but not good. A device keeps a refused file until its next start, so each is started up to 30 times.
    proxy.faults = 0.1
    for device in fleet:
        for _ in range(30):
            done = device.drain()
            if done.returncode == 0:
                break
        checks.that(f"{device.folder} is drained", done.returncode == 0, done.stderr)
        checks.equal("files left on the device", device.left(), [])
    found = events_at(server.files)
    flushed = {(session, number) for device in fleet for session, last in device.flushed.items() for number in range(1, last + 1)}
    print(f"{len(flushed)} flushed events of {sum(len(device.flushed) for device in fleet)} lives, {kills[0]} killed; {restarts} restarts of the "
          f"server; {len(event_files(server.files))} files", flush=True)
    print("  ".join(f"{fault} {count}" for fault, count in sorted(proxy.counts.items())), flush=True)
    checks.that("flushed events that are missing", not flushed - found.keys(), str(sorted(flushed - found.keys())[:5]))
    checks.equal("events that are there twice", [one for one, count in found.items() if count > 1][:5], [])
    checks.that("enough events, kills and restarts", len(flushed) > 500 and kills[0] > 0 and restarts > 0)
    checks.that("most kinds of faults occurred", len(proxy.counts) > len(set(Proxy.FAULTS)) * 2 // 3, str(proxy.counts))
    checks.equal("requests to another origin", trap.caught, [])
    checks.equal("complaints about requests", proxy.complaints[:5], [])
    done = looptrail.run("check", server.files)
    checks.that("looptrail check on the server's folder", done.returncode == 0, f"exit {done.returncode}: {(done.stdout + done.stderr)[-800:]}")
    summaries = event_files(server.files, ".parquet")
    checks.that("summaries came, each with its segment", summaries and all(os.path.exists(path.removesuffix(".parquet")) for path in summaries))
    done = looptrail.run("index", server.files, "--quiet")
    checks.that(f"the {len(summaries)} summaries are those of the segments", f" {len(summaries):,} kept" in done.stdout, done.stdout[-300:])
    # The command reads the collected tree like any other folder.
    answer = looptrail.json("events", server.files)
    checks.equal("events that the command reads", answer["input"]["events"], sum(found.values()))


def resets(checks: Checks, client: str, scratch: str, seed: int, count: int) -> None:
    """A server that resets in the middle of every body."""
    server = Resetter(seed)
    device = Device(client, os.path.join(scratch, "resets"), f"http://127.0.0.1:{server.port}/in/", os.path.join(scratch, "resets.log"))
    subprocess.run([client, "fill", device.folder, "3", "300000"], check=True, stdout=subprocess.DEVNULL)
    process = device.start("repeat", str(-(-count // 3)))
    out, _ = process.communicate(timeout=1200)
    checks.that(f"a process survives {server.resets} resets", process.returncode == 0 and server.resets >= count, f"{process.returncode} {out}")
    checks.that("a process keeps its files after resets", "waiting 3" in out and len(device.left()) == 3, out)
    print(f"{server.resets} resets in the middle of a body: {out.split()}", flush=True)


def memory(checks: Checks, client: str, server: Server, scratch: str, mib: int) -> None:
    """Uploads many large segments, one after another, in little memory."""
    device = Device(client, os.path.join(scratch, "large"), server.address, os.path.join(scratch, "large.log"))
    subprocess.run([client, "fill", device.folder, str(mib // 8), str(8 << 20)], check=True, stdout=subprocess.DEVNULL)
    start = time.monotonic()
    done = device.drain()
    peak = int(re.findall(r"peak (\d+)", done.stdout)[0]) if done.returncode == 0 else 0
    checks.that(f"{mib} MiB are sent", done.returncode == 0, done.stderr)
    sizes = [os.path.getsize(path) for path in event_files(server.files)]
    checks.equal(f"{mib} MiB are at the server", (len(sizes), set(sizes)), (mib // 8, {8 << 20}))
    # Seen: 38 MiB without a body, and 60 to 68 with bodies of 8 MiB, of which FoundationNetworking makes copies, however many are sent.
    checks.that(f"{mib} MiB are sent in at most 80 MiB of memory", 0 < peak <= 80 * 1024, f"{peak} KiB")
    print(f"{mib} MiB in {time.monotonic() - start:.1f} s, at most {peak / 1024:.1f} MiB of memory", flush=True)
    for path in event_files(server.files):
        os.remove(path)


def secure(checks: Checks, client: str, server: Server, scratch: str, ca: str) -> None:
    """The configuration as it stands, with TLS."""
    kind = type(server).__name__
    contract(checks, server, ssl.create_default_context(cafile=ca))
    device = Device(client, os.path.join(scratch, f"secure-{kind}"), server.address, os.path.join(scratch, f"secure-{kind}.log"))
    subprocess.run([client, "fill", device.folder, "3", "100000"], check=True, stdout=subprocess.DEVNULL)
    done = device.drain(trusting=ca)
    checks.that(f"{kind}: files over TLS", done.returncode == 0 and len(event_files(server.files)) == 3, done.stderr)
    stranger = Device(client, os.path.join(scratch, f"stranger-{kind}"), server.address, os.path.join(scratch, f"stranger-{kind}.log"))
    subprocess.run([client, "fill", stranger.folder, "1", "1000"], check=True, stdout=subprocess.DEVNULL)
    process = stranger.start("repeat", "1")
    out, _ = process.communicate(timeout=120)
    checks.that(f"{kind}: nothing is sent to a server with an untrusted certificate", process.returncode == 0 and "waiting 1" in out, out)


class Signer(Listener):
    """Stands for an app's own service that hands out presigned addresses: `Dashboards/collect/presign.py` behind HTTP."""

    def __init__(self, s3: Any, bucket: str, heads: bool):
        self.s3, self.bucket, self.heads = s3, bucket, heads
        self.asked: list[str] = []
        super().__init__()

    def one(self, connection: socket.socket) -> bool:
        import presign

        asked = dict(pair.split("=") for pair in Request(connection).path.split("?")[1].split("&"))
        self.asked.append(asked["method"])
        address = presign.presign(self.s3, self.bucket, asked["method"], asked["name"]) if asked["method"] == "PUT" or self.heads else None
        body = (address or "").encode()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(body), body))
        return False


def objects(checks: Checks, looptrail: Looptrail, client: str, scratch: str) -> None:
    """S3 as moto simulates it: it accepts the policy, and presigned addresses take each file once. Moto checks no condition of a policy."""
    if not (harness.module("moto") and harness.module("boto3")):
        checks.missing("moto", "install moto and boto3")
        return
    import boto3
    from botocore.config import Config

    port = free_port()
    with open(os.path.join(scratch, "moto.log"), "w") as log:
        process = subprocess.Popen([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log)
    try:
        until(lambda: answers(port), "moto's start")
        s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", aws_access_key_id="a", aws_secret_access_key="b",
                          region_name="us-east-1", config=Config(signature_version="s3v4"))
        bucket = "looptrail-collect"
        s3.create_bucket(Bucket=bucket)
        with open(os.path.join(COLLECT, "s3-policy.json")) as file:
            s3.put_bucket_policy(Bucket=bucket, Policy=file.read())
        s3.delete_bucket_policy(Bucket=bucket)
        for heads in (True, False):
            signer = Signer(s3, bucket, heads)
            device = Device(client, os.path.join(scratch, f"objects-{heads}"), f"sign:http://127.0.0.1:{signer.port}/",
                            os.path.join(scratch, "objects.log"))
            device.record("o1", 1500, dies_after=0.02)
            device.record("o2", 500)

            def kept(device: Device) -> set[str]:
                """Segments that stay on the device. Where no HEAD can be asked, those that the server has under their names."""
                done, names = device.drain(), {os.path.basename(path) for path in device.left() if path.endswith(".gz")}
                there = {os.path.basename(one["Key"]) for one in s3.list_objects_v2(Bucket=bucket, Prefix="in/").get("Contents", [])}
                is_gone = done.returncode == 0 and names <= (set() if heads else there)
                checks.that(f"S3: drained, HEAD {heads}", is_gone, f"{names}: {tail(device.log)}")
                return names

            # What a killed life sent, or one whose reply was lost, is sent again under its name.
            kept(device)
            before = len(signer.asked)
            for is_again in (False, True):
                subprocess.run([client, "fill", device.folder, "1", "9000"], check=True, stdout=subprocess.DEVNULL)
                is_kept = "events-00000000000000aa-0000000001.ndjson.gz" in kept(device)
                checks.equal(f"S3: kept, as nobody confirms it, HEAD {heads}, again {is_again}", is_kept, is_again and not heads)
            checks.equal("S3: requests for a file that is there", signer.asked[before:][-2:], ["PUT", "HEAD"])
            s3.delete_object(Bucket=bucket, Key="in/events-00000000000000aa-0000000001.ndjson.gz")
            folder = os.path.join(scratch, f"bucket-{heads}")
            os.makedirs(folder)
            for one in s3.list_objects_v2(Bucket=bucket, Prefix="in/").get("Contents", []):
                s3.download_file(bucket, one["Key"], os.path.join(folder, os.path.basename(one["Key"])))
                s3.delete_object(Bucket=bucket, Key=one["Key"])
            collected(checks, looptrail, "S3", folder, device.flushed)
        copied(checks, looptrail, client, scratch, s3, bucket, port)
    finally:
        process.terminate()
        process.wait()


def collected(checks: Checks, looptrail: Looptrail, kind: str, folder: str, flushed: dict[str, int]) -> None:
    found = events_at(folder)
    wanted = {(session, number) for session, last in flushed.items() for number in range(1, last + 1)}
    checks.that(f"{kind}: every flushed event once", wanted <= found.keys() and set(found.values()) == {1}, f"{len(wanted)} of {len(found)}")
    done = looptrail.run("check", folder)
    checks.that(f"{kind}: looptrail check", done.returncode == 0, (done.stdout + done.stderr)[-500:])
    print(f"{kind}: {len(wanted)} flushed events, {len(event_files(folder))} files", flush=True)


def copied(checks: Checks, looptrail: Looptrail, client: str, scratch: str, s3: Any, bucket: str, port: int) -> None:
    """Runs `rclone.sh`, to a folder and to the store."""
    if not harness.tool("rclone"):
        checks.missing("rclone", "install rclone")
        return
    # Nothing listens at port 9, so the device keeps what it records.
    device = Device(client, os.path.join(scratch, "copied"), "http://127.0.0.1:9/", os.path.join(scratch, "copied.log"))
    device.record("c1", 1000)
    hidden = os.path.join(device.folder, ".pending")
    os.makedirs(hidden, exist_ok=True)
    name = os.path.basename(event_files(device.folder)[0])
    for place in (os.path.join(hidden, name.replace("0000000001", "0000000077")), os.path.join(device.folder, name + ".open")):
        with open(place, "wb") as file:
            file.write(b"not to be copied")
    target = os.path.join(scratch, "rclone")
    store = f":s3,provider=Other,access_key_id=a,secret_access_key=b,region=us-east-1,endpoint='http://127.0.0.1:{port}':{bucket}/in"

    # The machine's own settings for S3, such as a bundle of certificates, do not fit this store.
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}

    def copy(place: str) -> int:
        return subprocess.run([os.path.join(COLLECT, "rclone.sh"), device.folder, place, "--config", "/dev/null", "--retries", "1"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300,
                              env=surroundings).returncode

    wanted = sorted(os.path.basename(path) for path in event_files(device.folder))
    for _ in range(2):
        checks.equal("rclone to a folder", copy(target), 0)
        checks.equal("what rclone copied", sorted(os.path.relpath(os.path.join(path, one), target) for path, _, names in os.walk(target) for one in names), wanted)
        checks.equal("rclone to the store", copy(store), 0)
        checks.equal("what the store has", sorted(one["Key"] for one in s3.list_objects_v2(Bucket=bucket).get("Contents", [])), [f"in/{one}" for one in wanted])
    collected(checks, looptrail, "rclone", target, device.flushed)
    with open(os.path.join(target, wanted[0]), "ab") as file:
        file.write(b"changed")
    size = os.path.getsize(os.path.join(target, wanted[0]))
    checks.that("rclone replaces nothing", copy(target) != 0 and os.path.getsize(os.path.join(target, wanted[0])) == size)


def article(checks: Checks) -> None:
    """Checks that the documentation shows only parts of the configuration that is tested here."""
    def words(text: str) -> str:
        return " ".join(text.split())

    with open(os.path.join(COLLECT, "nginx.conf")) as file:
        tested = words(file.read())
    blocks = []
    for path in pathlib.Path(harness.ROOT, "Sources").glob("*/*.docc/*.md"):
        blocks += re.findall(r"^```nginx\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL)
    checks.that("the article shows the tested configuration", blocks and all(words(block) in tested for block in blocks))


def main() -> None:
    sys.path.insert(0, COLLECT)
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--client", default=os.path.join(harness.ROOT, ".build/release/UploadClient"), help="the device")
    parser.add_argument("--seconds", type=float, default=20, help="how long the devices live")
    parser.add_argument("--devices", type=int, default=3)
    parser.add_argument("--resets", type=int, default=1000)
    parser.add_argument("--servers", default="nginx,apache,s3", help="which of nginx, apache and s3, with commas between")
    parser.add_argument("--mib", type=int, default=256, help="how much is sent to measure the memory")
    options = parser.parse_args()
    servers = options.servers.split(",")
    if not set(servers) <= {"nginx", "apache", "s3"}:
        sys.exit(f"--servers takes nginx, apache and s3, not {options.servers}")
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    client = os.path.abspath(options.client)
    if not os.access(client, os.X_OK):
        sys.exit(f"no client at {client}: build it with `swift build -c release --product UploadClient`, or pass --client")
    print(f"seed {options.seed}", flush=True)
    article(checks)
    with tempfile.TemporaryDirectory() as scratch:
        pair = certificate(scratch)
        for kind, program in ((Nginx, "/usr/sbin/nginx"), (Apache, "/usr/sbin/apache2")):
            if kind.__name__.lower() not in servers:
                continue
            if not os.access(program, os.X_OK):
                checks.missing(program, "install nginx-light and apache2")
                continue
            folder = os.path.join(scratch, kind.__name__)
            os.makedirs(folder)
            server = kind(folder, pair)
            server.start()
            try:
                secure(checks, client, server, scratch, pair[0])
            finally:
                server.stop()
            plain = os.path.join(scratch, f"{kind.__name__}-plain")
            os.makedirs(plain)
            server = kind(plain)
            server.start()
            try:
                contract(checks, server, None)
                if kind is Nginx:
                    memory(checks, client, server, scratch, options.mib)
                seconds = options.seconds if kind is Nginx else min(options.seconds, 8)
                chaos(checks, looptrail, client, server, plain, options.seed, seconds, options.devices)
            finally:
                server.stop()
        if "s3" in servers:
            objects(checks, looptrail, client, scratch)
        resets(checks, client, scratch, options.seed, options.resets)
    checks.close()


if __name__ == "__main__":
    main()
