"""The one program that drives a desktop from within: starts it, then answers JSON lines on a socket or on stdio.

Requests: {"id": 1, "op": "click", "args": {...}}, and {"cancel": 1}. Answers: {"id": 1, "ok": true, "result": {...}},
{"id": 1, "ok": false, "error": {"code", "message", "fix"}}; before them {"id": 1, "stream": "stdout", "data": "..."}.
After the answer to "view" the connection speaks RFB (VNC) until either side hangs up.
"""

import sys

from display import DisplayServer

DISPLAY = DisplayServer.from_environment() if __name__ == "__main__" and "--connect" not in sys.argv else None

import argparse
import json
import os
import socket
import subprocess
import threading
import time
import traceback

from accessibility import accessibility_tree
from files import Files
from protocol import MAX_LINE, PROTOCOL, Refusal, encode
from screen import Screen
from session import Session
from shell import Shells

# Answered in the connection's own thread, in order; the others may take long and get one each.
QUICK = {"hello", "move", "click", "button", "drag", "scroll", "key", "type", "windows", "screenshot", "focus"}
MAX_RUNNING = 32
MAX_CONNECTIONS = 16


class Agent:
    def __init__(self, display):
        self.session = Session(display)
        self.screen = Screen(self.session)
        self.shells = Shells(self.session)
        self.files = Files(self.session)
        self.operations = {
            "hello": self.hello,
            "accessibility": lambda args, call: accessibility_tree(self.session, args, call),
            **self.screen.operations(),
            **self.shells.operations(),
            **self.files.operations(),
        }

    def hello(self, _args, _call):
        return {
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "width": self.screen.width,
            "height": self.screen.height,
            "home": self.session.home,
            "display": self.session.display_name,
        }

    def answer(self, call):
        try:
            operation = self.operations.get(call.op)
            if operation is None:
                raise Refusal("refused", f"There is no operation {call.op!r}.", f"There are: {', '.join(sorted(self.operations))}.")
            call.send({"id": call.id, "ok": True, "result": operation(call.args, call)})
        except Refusal as refusal:
            error = {"code": refusal.code, "message": refusal.message, **({"fix": refusal.fix} if refusal.fix else {})}
            call.send({"id": call.id, "ok": False, "error": error})
        except Exception as problem:  # A bug here must not end the sandbox.
            report_bug()
            call.send({"id": call.id, "ok": False, "error": {"code": "failed", "message": f"{type(problem).__name__}: {problem}"}})


def report_bug():
    try:
        traceback.print_exc()
    except OSError:  # Whoever started this has gone.
        pass


class Call:
    def __init__(self, connection, message):
        self.connection = connection
        self.id = message.get("id")
        self.op = message.get("op")
        self.args = message.get("args") or {}
        self.cancelled = threading.Event()
        if not isinstance(self.id, int) or not isinstance(self.op, str) or not isinstance(self.args, dict):
            raise ValueError("a request has a number 'id', a text 'op' and an object 'args'")

    def send(self, message):
        self.connection.send(message)

    def stream(self, name, data):
        self.send({"id": self.id, "stream": name, "data": data})

    def check(self):
        if self.cancelled.is_set():
            raise Refusal("refused", "The operation was cancelled.")


class Connection:
    """Serves one client until it hangs up; what it has started is cancelled then."""

    def __init__(self, agent, reader, writer, client=None):
        self.agent = agent
        self.reader = reader
        self.writer = writer
        self.client = client
        self.lock = threading.Lock()
        self.running = {}

    def send(self, message):
        data = encode(message)
        with self.lock:
            try:
                self.writer.write(data)
                self.writer.flush()
            except (OSError, ValueError):
                pass

    def serve(self):
        try:
            while True:
                line = self.reader.readline(MAX_LINE)
                if not line:
                    return
                if not line.endswith(b"\n"):
                    self.send({"id": 0, "ok": False, "error": {"code": "refused", "message": f"A line is longer than {MAX_LINE} bytes."}})
                    return
                self.take(line)
        except OSError:
            return
        finally:
            for call in list(self.running.values()):
                call.cancelled.set()

    def take(self, line):
        try:
            message = json.loads(line)
            if isinstance(message, dict) and "cancel" in message:
                call = self.running.get(message["cancel"])
                if call is not None:
                    call.cancelled.set()
                return
            call = Call(self, message)
        except (ValueError, AttributeError, RecursionError) as problem:
            self.send({"id": 0, "ok": False, "error": {"code": "refused", "message": f"This is no request: {problem}"}})
            return
        if call.op == "view":
            self.view(call)
            return
        if call.op in QUICK:
            self.agent.answer(call)
            return
        if len(self.running) >= MAX_RUNNING:
            self.send({"id": call.id, "ok": False, "error": {"code": "refused", "message": f"{MAX_RUNNING} operations are running already."}})
            return
        self.running[call.id] = call
        try:
            threading.Thread(target=self.run, args=(call,), daemon=True).start()
        except RuntimeError:
            self.running.pop(call.id, None)
            error = {"code": "failed", "message": "The sandbox has no process left for this.", "fix": "Reset it."}
            self.send({"id": call.id, "ok": False, "error": error})

    def view(self, call):
        """Hands this connection to a VNC server of its own, which ends with it. The client has to wait for the answer before it says more."""
        control = call.args.get("control") is True
        session = self.agent.session
        if self.client is None:
            self.send({"id": call.id, "ok": False, "error": {"code": "refused", "message": "This connection cannot carry a view."}})
            return
        command = ["x11vnc", "-inetd", "-display", session.display_name, "-quiet", "-norc", "-nopw", "-noxrecord", "-shared", "-nosel", "-wait", "10", "-defer", "5"]
        # Its own keyboard handling would change the layout under the programs of the task.
        command += ["-xkb", "-repeat"] if control else ["-viewonly"]
        self.send({"id": call.id, "ok": True, "result": {}})
        try:
            subprocess.run(command, env=session.own_env, stdin=self.client, stdout=self.client, stderr=subprocess.DEVNULL, check=False)
        finally:
            self.client.shutdown(socket.SHUT_RDWR)

    def run(self, call):
        try:
            self.agent.answer(call)
        finally:
            self.running.pop(call.id, None)


def warm(agent):
    try:
        agent.screen.warm()
    except Refusal:  # The display has ended already; whoever asks is told.
        pass


def listen(agent, path):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    temporary = f"{path}.new"
    server.bind(temporary)
    os.chmod(temporary, 0o666)
    server.listen(MAX_CONNECTIONS)
    os.rename(temporary, path)
    print(json.dumps({"ready": "desktop"}), flush=True)  # Before anybody can have gone.
    threading.Thread(target=warm, args=(agent,), daemon=True).start()
    free = threading.Semaphore(MAX_CONNECTIONS)
    while True:
        client, _ = server.accept()
        if not free.acquire(blocking=False):
            client.close()
            continue

        def serve(client=client):
            try:
                with client, client.makefile("rb", buffering=1 << 16) as reader, client.makefile("wb") as writer:
                    Connection(agent, reader, writer, client).serve()
            except OSError:
                pass
            finally:
                free.release()

        try:
            threading.Thread(target=serve, daemon=True).start()
        except RuntimeError:
            client.close()
            free.release()


def bridge(path):
    """Joins stdio to the socket of an agent that runs already: for clients on another machine."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    deadline = time.monotonic() + 60
    while True:
        try:
            client.connect(path)
            break
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > deadline:
                sys.exit("No agent listens here.")
            time.sleep(0.02)

    def pump():
        while data := client.recv(1 << 16):
            while data:
                data = data[os.write(1, data) :]
        os._exit(0)

    threading.Thread(target=pump, daemon=True).start()
    while data := os.read(0, 1 << 16):
        client.sendall(data)
    client.shutdown(socket.SHUT_WR)


def main():
    parser = argparse.ArgumentParser()
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--listen", metavar="SOCKET", help="start the desktop and answer on this socket")
    way.add_argument("--stdio", action="store_true", help="start the desktop and answer on stdin and stdout")
    way.add_argument("--connect", metavar="SOCKET", help="join stdio to the socket of a running agent")
    given = parser.parse_args()
    if given.connect:
        bridge(given.connect)
        return
    agent = Agent(DISPLAY)
    if given.listen:
        listen(agent, given.listen)
    else:
        with os.fdopen(0, "rb", closefd=False) as reader, os.fdopen(1, "wb", closefd=False) as writer:
            Connection(agent, reader, writer).serve()
        agent.session.stop()


if __name__ == "__main__":
    main()
