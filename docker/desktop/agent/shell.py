"""Programs: one-off commands, and shells that keep their state. Output is streamed and bounded; what runs too long is ended with all it started."""

import codecs
import os
import secrets
import signal
import subprocess
import threading
import time

from protocol import Refusal, number, text

SHELL_SETUP = "set +m; PS1=; PS2=; HISTFILE=; cd \"$HOME\"\n"


class Sink:
    """Keeps the first bytes of an output, counts the rest, and streams what it keeps."""

    def __init__(self, name, limit, call, stream):
        self.name, self.limit, self.call, self.streamed = name, limit, call, stream
        self.kept, self.dropped = bytearray(), 0
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data):
        room = max(0, self.limit - len(self.kept))
        part = data[:room]
        self.kept += part
        self.dropped += len(data) - len(part)
        if self.streamed and part:
            self.call.stream(self.name, self.decoder.decode(part))

    def result(self):
        return self.kept.decode("utf-8", "replace")


def environment(session, args):
    extra = args.get("env", {})
    if not isinstance(extra, dict) or not all(isinstance(k, str) and isinstance(v, str) and "\0" not in k + v and "=" not in k for k, v in extra.items()):
        raise Refusal("refused", "'env' has to be an object of texts.")
    return {**session.env, **extra}


class Shells:
    def __init__(self, session):
        self.session = session
        self.lock = threading.Lock()
        self.shells = {}

    def operations(self):
        return {"exec": self.execute, "shell": self.shell, "launch": self.launch}

    def folder(self, args):
        folder = text(args, "cwd", self.session.home, 4096)
        if not os.path.isdir(folder):
            raise Refusal("refused", f"There is no folder {folder!r}.")
        return folder

    def command(self, args):
        command = args.get("command")
        if not isinstance(command, list) or not 1 <= len(command) <= 1000 or not all(isinstance(one, str) and "\0" not in one for one in command):
            raise Refusal("refused", "'command' has to be a list of texts.")
        return command

    def start(self, args, **pipes):
        command = self.command(args)
        try:
            return subprocess.Popen(command, cwd=self.folder(args), env=environment(self.session, args), start_new_session=True, **pipes)
        except FileNotFoundError:
            raise Refusal("refused", f"There is no program {command[0]!r} in this sandbox.") from None
        except PermissionError:
            raise Refusal("refused", f"{command[0]!r} may not be run.") from None
        except OSError as problem:
            raise Refusal("failed", f"{command[0]!r} did not start: {problem.strerror}.") from None

    def launch(self, args, _call):
        """Starts a program that stays, such as one with windows."""
        null = subprocess.DEVNULL
        child = self.start(args, stdin=null, stdout=null, stderr=null)
        threading.Thread(target=child.wait, daemon=True).start()
        return {"pid": child.pid}

    def execute(self, args, call):
        limit = int(number(args, "maxBytes", 0, 16 * 1024 * 1024, 1024 * 1024))
        given = text(args, "stdin", "").encode()
        deadline = time.monotonic() + number(args, "timeoutMs", 1, 3_600_000, 60_000) / 1000
        child = self.start(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        sinks = [Sink(name, limit, call, args.get("stream") is True) for name in ("stdout", "stderr")]
        readers = [threading.Thread(target=pump, args=(pipe, sink), daemon=True) for pipe, sink in zip((child.stdout, child.stderr), sinks)]
        for reader in readers:
            reader.start()
        threading.Thread(target=feed, args=(child.stdin, given), daemon=True).start()
        timed_out = False
        while child.poll() is None:
            timed_out = time.monotonic() >= deadline
            if timed_out or call.cancelled.is_set():
                break
            try:
                child.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
        # The group is ended in any case: nothing of a command outlives it. What shall stay is launched.
        end_group(child)
        for reader in readers:
            reader.join(1)
        call.check()
        return answer(child.returncode, timed_out, sinks)

    def shell(self, args, call):
        name = text(args, "name", "main", 64)
        with self.lock:
            current = self.shells.get(name)
            if current is None or not current.alive():
                if current is None and len(self.shells) >= 8:
                    raise Refusal("refused", "There are 8 shells already.")
                current = self.shells[name] = Shell(self.session)
        return current.run(args, call)


class Shell:
    """One bash that takes command after command; folder, variables and functions stay."""

    def __init__(self, session):
        self.lock = threading.Lock()
        self.child = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=session.home, env=session.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.state = threading.Condition()
        self.sinks = None
        self.ended = {}
        self.child.stdin.write(SHELL_SETUP.encode())
        for name, pipe in (("stdout", self.child.stdout), ("stderr", self.child.stderr)):
            threading.Thread(target=self.listen, args=(name, pipe), daemon=True).start()

    def alive(self):
        return self.child.poll() is None

    def listen(self, name, pipe):
        """Hands output to the command in progress; its end is a line with a mark that no command knows."""
        waiting = b""
        while data := pipe.read1(1 << 16):
            waiting += data
            with self.state:
                if self.sinks is None:
                    waiting = b""
                    continue
                mark, sinks = self.sinks
                at = waiting.find(mark)
                if at >= 0 and b"\n" in waiting[at:]:
                    sinks[name].write(waiting[:at])
                    self.ended[name] = waiting[at + len(mark) : waiting.index(b"\n", at)]
                    waiting = b""
                    self.state.notify_all()
                else:
                    # A mark may have arrived in part.
                    keep = 0 if at >= 0 else longest_end(waiting, mark)
                    cut = at if at >= 0 else len(waiting) - keep
                    sinks[name].write(waiting[:cut])
                    waiting = waiting[cut:]
        with self.state:
            self.ended[name] = None
            self.state.notify_all()

    def run(self, args, call):
        command = text(args, "command")
        limit = int(number(args, "maxBytes", 0, 16 * 1024 * 1024, 1024 * 1024))
        deadline = time.monotonic() + number(args, "timeoutMs", 1, 3_600_000, 60_000) / 1000
        if "\0" in command:
            raise Refusal("refused", "A command has no zero bytes.")
        with self.lock:
            mark = f"\x1e{secrets.token_hex(16)}:".encode()
            sinks = {name: Sink(name, limit, call, args.get("stream") is True) for name in ("stdout", "stderr")}
            before = session_members(self.child.pid)
            with self.state:
                self.ended, self.sinks = {}, (mark, sinks)
            quoted = "'" + command.replace("'", "'\\''") + "'"
            shown = mark.decode().replace("\x1e", "\\036")
            line = f"eval {quoted} </dev/null\n{{ printf '{shown}%d\\n' \"$?\"; printf '{shown}\\n' >&2; }}\n"
            try:
                self.child.stdin.write(line.encode())
                self.child.stdin.flush()
            except OSError:
                pass
            timed_out = False
            with self.state:
                while len(self.ended) < 2 and not timed_out:
                    self.state.wait(0.05)
                    timed_out = time.monotonic() >= deadline or call.cancelled.is_set()
            if timed_out:
                self.interrupt(before)
            with self.state:
                self.sinks = None
                code = self.ended.get("stdout")
            gone = not self.alive()
            if gone:
                self.child.wait()
            call.check()
            returncode = int(code) if code else (self.child.returncode if gone else 124)
            return {**answer(returncode, timed_out, list(sinks.values())), "restarted": gone}

    def interrupt(self, before):
        """Ends what the command has started; the shell itself too when it is what does not come back."""
        end = time.monotonic() + 1
        while time.monotonic() < end:
            for pid in session_members(self.child.pid) - before - {self.child.pid}:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            with self.state:
                if len(self.ended) == 2:
                    return
                self.state.wait(0.05)
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except OSError:
            pass
        self.child.wait()


def longest_end(data, mark):
    """Bytes at the end of data that begin the mark."""
    for size in range(min(len(mark), len(data)), 0, -1):
        if mark.startswith(data[-size:]):
            return size
    return 0


def session_members(session):
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[3]) == session:
                    found.add(int(entry))
            except (OSError, IndexError, ValueError):
                continue
    return found


def pump(pipe, sink):
    while data := pipe.read1(1 << 16):
        sink.write(data)


def feed(pipe, data):
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass


def end_group(child):
    for pid in session_members(child.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    child.wait()


def answer(code, timed_out, sinks):
    out, err = sinks
    return {
        "exitCode": 124 if timed_out else code,
        "timedOut": timed_out,
        "stdout": out.result(),
        "stderr": err.result(),
        "droppedBytes": out.dropped + err.dropped,
    }
