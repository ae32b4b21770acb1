"""The desktop session: home folder, message bus, display, window manager, and the environment of programs."""

import os
import shutil
import subprocess

from protocol import Refusal

SKELETON = "/opt/desktop/home"
OWN = os.path.dirname(os.path.abspath(__file__))


class Session:
    def __init__(self, display):
        given = os.environ
        self.home = given.get("HOME", "/home/user")
        self.runtime = given.get("XDG_RUNTIME_DIR", "/run/desktop")
        os.makedirs(self.runtime, mode=0o700, exist_ok=True)
        os.makedirs(self.home, exist_ok=True)
        # Where programs look that know the usual place alone.
        os.makedirs("/run/user", exist_ok=True)
        usual = f"/run/user/{os.getuid()}"
        if not os.path.lexists(usual):
            os.symlink(self.runtime, usual)
        if os.path.isdir(SKELETON):
            shutil.copytree(SKELETON, self.home, dirs_exist_ok=True, copy_function=shutil.copyfile)
        self.display_server = display.process
        self.children = [display.process]
        self.display_name = display.name()
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
        clock = given.get("FORGE_CLOCK")
        if clock:
            # Only programs of the task see this clock: the display and the agent need the true one. It runs on from there.
            self.env.update({"LD_PRELOAD": "/usr/$LIB/faketime/libfaketime.so.1", "FAKETIME": f"@{clock}", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})

    def spawn(self, command):
        child = subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.children.append(child)
        return child

    def check_display(self):
        if self.display_server.poll() is not None:
            raise Refusal("lost", "The display of this sandbox has ended, and the programs on it too.", "Reset the sandbox.")

    def stop(self):
        for child in reversed(self.children):
            child.terminate()
