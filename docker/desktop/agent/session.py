"""The desktop session: home folder, message bus, display, window manager, and the environment of programs."""

import os
import shutil
import subprocess
import threading

from protocol import Refusal

SKELETON = "/opt/desktop/home"
OWN = os.path.dirname(os.path.abspath(__file__))


class Session:
    def __init__(self):
        given = os.environ
        self.home = given.get("HOME", "/home/user")
        width, height = (int(part) for part in given.get("FORGE_SCREEN", "1920x1080").split("x"))
        self.runtime = given.get("XDG_RUNTIME_DIR", "/run/desktop")
        os.makedirs(self.runtime, mode=0o700, exist_ok=True)
        os.makedirs(self.home, exist_ok=True)
        self.children = []
        self.display_name = self.start_display(width, height)
        self.env = {
            "HOME": self.home,
            "USER": "desktop",
            "LOGNAME": "desktop",
            "SHELL": "/bin/bash",
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
            "LANG": given.get("FORGE_LOCALE", "C.UTF-8"),
            "TZ": given.get("FORGE_TIMEZONE", "UTC"),
            "DISPLAY": self.display_name,
            "XDG_RUNTIME_DIR": self.runtime,
            "XDG_CURRENT_DESKTOP": "GNOME",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus",
            "ACCESSIBILITY_ENABLED": "1",
            "GTK_A11Y": "atspi",
        }
        # For what belongs to the agent: the clock of the task is not for it.
        self.own_env = dict(self.env)
        self.spawn(["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={self.runtime}/bus"])
        self.spawn(["openbox", "--config-file", "/opt/desktop/openbox.xml"])
        if os.path.isdir(SKELETON):
            shutil.copytree(SKELETON, self.home, dirs_exist_ok=True, copy_function=shutil.copyfile)
        clock = given.get("FORGE_CLOCK")
        if clock:
            # Only programs of the task see this clock: the display and the agent need the true one. It runs on from there.
            self.env.update({"LD_PRELOAD": "/usr/$LIB/faketime/libfaketime.so.1", "FAKETIME": f"@{clock}", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})

    def spawn(self, command):
        child = subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.children.append(child)
        return child

    def start_display(self, width, height):
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset", "-dpi", "96"]
        env = {"PATH": "/usr/bin:/bin", "HOME": self.home}
        self.display_server = subprocess.Popen(command, env=env, pass_fds=[writer], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            answer = pipe.readline().strip()
        if not answer:
            raise SystemExit("The display did not start.")
        self.children.append(self.display_server)
        # Without this, a display that ends stays a zombie and looks alive.
        threading.Thread(target=self.display_server.wait, daemon=True).start()
        return f":{answer}"

    def check_display(self):
        if self.display_server.poll() is not None:
            raise Refusal("lost", "The display of this sandbox has ended, and the programs on it too.", "Reset the sandbox.")

    def stop(self):
        for child in reversed(self.children):
            child.terminate()
