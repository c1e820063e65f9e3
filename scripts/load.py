#!/usr/bin/env python3
"""Asks a running server of Examples/PokedexServer for as much as it gives, and then what it should refuse.

    python3 scripts/load.py NAME PORT PROCESS SECONDS CONNECTIONS
    python3 scripts/load.py compare PORT PROCESS OTHER-PORT OTHER-PROCESS    a find beside one of another server

Prints a line a figure, and exits with 1 where one is out of its bounds. scripts/load.sh starts the server.
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# Nine reads and one write of ten requests: a row by its key, a page with a filter, a number, and a note that is added.
SCRIPT = """
local threads = {}
function setup(thread) table.insert(threads, thread); thread:set("seed", #threads) end
function init() math.randomseed(seed); acknowledged, refused, broken, count = 0, 0, 0, 0 end
local note = wrk.format("POST", "/note", {["Content-Type"] = "application/json", Authorization = "Bearer load"},
  '{"pokemon": 1, "owner": "trainer", "text": "load"}')
function request()
  count = count + 1
  local kind = count % 10
  if kind == 0 then return note end
  if kind < 4 then return wrk.format("GET", "/pokemon?where=weight%20%3E%20" .. math.random(400) .. "&limit=20") end
  if kind == 4 then return wrk.format("GET", "/pokemon:count?where=type%20%3D%20%27fire%27") end
  return wrk.format("GET", "/pokemon/" .. math.random(151))
end
function response(status)
  if status == 201 then acknowledged = acknowledged + 1 end
  if status >= 500 then broken = broken + 1 elseif status >= 400 then refused = refused + 1 end
end
function done(summary, latency)
  local a, r, b = 0, 0, 0
  for _, thread in ipairs(threads) do
    a, r, b = a + thread:get("acknowledged"), r + thread:get("refused"), b + thread:get("broken")
  end
  io.write(string.format("FIGURES %d %d %d %d %.0f %d %d\\n", a, r, b, summary.requests,
    latency:percentile(99), summary.errors.timeout, summary.errors.connect + summary.errors.read + summary.errors.write))
end
"""


class Attempt:
    def __init__(self, name, port, process):
        self.name, self.port, self.process = name, port, process
        self.failed = False

    def tell(self, text, is_met=True):
        print(f"{self.name}: {text}{'' if is_met else ' FAILED'}", flush=True)
        self.failed |= not is_met

    def ask(self, method, path, body=None, headers=None, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.request(method, path, body, {"Authorization": "Bearer load", **(headers or {})})
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def memory(self):
        """What the server holds of the machine's memory, in megabytes."""
        status = pathlib.Path(f"/proc/{self.process}/status")
        if not status.exists():
            return 0.0
        return int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1]) / 1024

    def wait(self):
        for _ in range(300):
            try:
                if self.ask("GET", "/pokemon:count")[0] == 200:
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{self.name}: the server does not answer")

    def load(self, seconds, connections):
        """Many at once: nothing breaks, what was acknowledged is there, and memory does not grow with time."""
        samples, over = [], threading.Event()

        def sample():
            while not over.wait(1):
                samples.append(self.memory())

        threading.Thread(target=sample, daemon=True).start()
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            script.write(SCRIPT)
            script.flush()
            output = subprocess.run(
                ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", script.name,
                 f"http://127.0.0.1:{self.port}"], capture_output=True, text=True, check=True).stdout
        over.set()
        figures = re.search(r"FIGURES (.*)", output)[1].split()
        acknowledged, refused, broken, requests, p99, late, lost = map(int, figures)
        kept = json.loads(self.ask("GET", "/note:count")[1])
        self.tell(f"{connections} connections for {seconds} s: {requests / seconds:.0f} requests a second, "
                  f"99 of 100 within {p99 / 1000:.0f} ms, {late} later than 10 s")
        self.tell(f"{broken} answers of 5xx, {refused} refused, {lost} connections lost", broken + refused + lost == 0)
        # What was sent last may be written and not be answered any more.
        self.tell(f"{acknowledged} writes acknowledged, {kept} kept", acknowledged <= kept <= acknowledged + connections)
        half = len(samples) // 2
        if half > 4:
            first, second = max(samples[3:half]), max(samples[half:])
            self.tell(f"memory at most {first:.0f} MB in the first half, {second:.0f} MB in the second",
                      second <= first * 1.1 + 10)

    def bodies(self):
        """Bodies that are too long, told or not, are refused at once, and not read to their end."""
        for told in (True, False):
            start, sent = time.monotonic(), 0
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
            length = b"Content-Length: 4000000000" if told else b"Transfer-Encoding: chunked"
            connection.sendall(
                b"POST /note HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer load\r\n"
                b"Content-Type: application/json\r\n" + length + b"\r\n\r\n")
            part = b"x" * 65536 if told else b"10000\r\n" + b"x" * 65536 + b"\r\n"
            answer = []

            def read():
                try:
                    answer.append(connection.recv(4096))
                except OSError:
                    answer.append(b"")

            reader = threading.Thread(target=read, daemon=True)
            reader.start()
            try:
                while sent < 1 << 28 and (reader.is_alive() or sent == 0):
                    connection.sendall(part)
                    sent += 65536
            except OSError:
                pass
            reader.join(10)
            status = answer[0][9:12].decode() if answer and answer[0] else "none"
            self.tell(f"a body without end, its length {'told' if told else 'not told'}: {status} after "
                      f"{sent / 1e6:.1f} MB and {time.monotonic() - start:.1f} s", status == "413" and sent < 1 << 26)
            connection.close()

    def slow(self, count, bound):
        """Clients that send a byte now and then keep no other client waiting, and are not waited for without end."""
        start = time.monotonic()
        connections = [socket.create_connection(("127.0.0.1", self.port), timeout=bound) for _ in range(count)]
        for number, connection in enumerate(connections):
            connection.sendall(b"GET /pokemon/1 HTTP/1.1\r\nX-Slow: " if number % 2 else b"POST /note HTTP/1.1\r\n"
                               b"Host: localhost\r\nAuthorization: Bearer load\r\nContent-Length: 50\r\n\r\n{")
        worst = 0.0
        while time.monotonic() - start < 3:
            asked = time.monotonic()
            self.ask("GET", "/pokemon/1")
            worst = max(worst, time.monotonic() - asked)
            time.sleep(0.05)
        self.tell(f"{count} slow clients: others wait for {worst * 1000:.0f} ms at most", worst < 1)
        ended = 0
        for connection in connections:
            try:
                connection.settimeout(max(0.01, bound - (time.monotonic() - start)))
                while connection.recv(4096):
                    pass
                ended += 1
            except ConnectionError:
                ended += 1
            except OSError:
                pass
            connection.close()
        self.tell(f"{ended} of them ended within {bound} s", ended == count)


def compare(port, process, other_port, other_process, rounds=5):
    """What a find takes of the processor beside one that is written by hand, in turns: the medians of the rounds.

    Not the time on the wall, which is that of everything else on the machine, too.
    """
    attempt, costs = Attempt("sqlite", port, process), ([], [])
    attempt.wait()
    for _ in range(rounds + 1):
        for place, (asked, answering) in enumerate([(port, process), (other_port, other_process)]):
            before = processor_seconds(answering)
            output = subprocess.run(
                ["wrk", "-t1", "-c8", "-d2s", f"http://127.0.0.1:{asked}/pokemon/25"], capture_output=True, text=True,
                check=True).stdout
            count = int(re.search(r"(\d+) requests in", output)[1])
            costs[place].append((processor_seconds(answering) - before) / count)
    service, hand = (statistics.median(cost[1:]) for cost in costs)
    attempt.tell(f"a find takes {service * 1e6:.1f} µs of the processors, one by hand {hand * 1e6:.1f} µs: "
                 f"{service / hand:.2f}", service / hand <= 1.3)
    return attempt.failed


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(name, port, process, seconds, connections):
    if name == "compare":
        return compare(int(port), int(process), int(seconds), int(connections))
    attempt = Attempt(name, int(port), int(process))
    attempt.wait()
    if shutil.which("wrk"):
        attempt.load(int(seconds), int(connections))
    else:
        attempt.tell("wrk is not installed, and load is left out")
    attempt.bodies()
    attempt.slow(100, 40)
    attempt.tell(f"memory at the end {attempt.memory():.0f} MB")
    return attempt.failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
