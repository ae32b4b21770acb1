"""The display server: begun before anything else, so that it comes up while the rest of the agent is loaded."""

import os
import subprocess
import threading


class DisplayServer:
    def __init__(self, width, height, home):
        self.reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset", "-dpi", "96"]
        env = {"PATH": "/usr/bin:/bin", "HOME": home}
        self.process = subprocess.Popen(command, env=env, pass_fds=[writer], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(writer)

    @classmethod
    def from_environment(cls):
        given = os.environ
        width, height = (int(part) for part in given.get("FORGE_SCREEN", "1920x1080").split("x"))
        return cls(width, height, given.get("HOME", "/home/user"))

    def name(self):
        """Waits until it takes connections."""
        with os.fdopen(self.reader) as pipe:
            answer = pipe.readline().strip()
        if not answer:
            raise SystemExit("The display did not start.")
        # Without this, a display that ends stays a zombie and looks alive.
        threading.Thread(target=self.process.wait, daemon=True).start()
        return f":{answer}"
