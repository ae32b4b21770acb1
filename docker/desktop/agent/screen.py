"""Mouse, keyboard, screenshots and windows, all through one connection to the display."""

import base64
import threading
import time
from contextlib import contextmanager

from Xlib import X, Xatom, error
from Xlib.display import Display
from Xlib.ext import xtest

from keys import Keyboard, keysym_of_character, keysym_of_name
from protocol import Refusal, number, text

BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}
MODIFIERS = {"Shift_L", "Shift_R", "Control_L", "Control_R", "Alt_L", "Alt_R", "Super_L", "Super_R", "Meta_L", "Meta_R", "ISO_Level3_Shift", "Hyper_L", "Hyper_R"}
SHIFT = "Shift_L"


class Screen:
    def __init__(self, session):
        self.session = session
        self.lock = threading.RLock()
        self.display = Display(session.display_name)
        self.root = self.display.screen().root
        self.width = self.display.screen().width_in_pixels
        self.height = self.display.screen().height_in_pixels
        self.keyboard = Keyboard(self.display)
        self.shift = self.keyboard.places[keysym_of_name(SHIFT)][0]
        self.loaded = None

    def operations(self):
        names = ["move", "click", "button", "drag", "scroll", "key", "type", "screenshot", "windows", "focus"]
        return {
            **{name: self.guarded(getattr(self, name)) for name in names},
            "waitForWindow": self.wait_for_window,
            "waitForStill": self.wait_for_still,
        }

    def guarded(self, operation):
        def run(args, call):
            with self.used():
                return operation(args, call)

        return run

    @contextmanager
    def used(self):
        with self.lock:
            self.session.check_display()
            try:
                yield
            except (error.ConnectionClosedError, error.DisplayError, BrokenPipeError) as problem:
                raise Refusal("lost", "The display of this sandbox has ended, and the programs on it too.", "Reset the sandbox.") from problem

    # Mouse: what it does is handed to the display and not waited for. Whatever follows on this connection, a screenshot too, comes after it.

    def place(self, args):
        x, y = args.get("x"), args.get("y")
        if isinstance(x, bool) or isinstance(y, bool) or not isinstance(x, int) or not isinstance(y, int) or not (0 <= x < self.width and 0 <= y < self.height):
            raise Refusal("refused", f"({x}, {y}) is not on the screen, which has {self.width} x {self.height} pixels.")
        return x, y

    def named_button(self, args):
        name = args.get("button", "left")
        if name not in BUTTONS:
            raise Refusal("refused", f"There is no button {name!r}.", f"There are: {', '.join(BUTTONS)}.")
        return BUTTONS[name]

    def at(self, x, y):
        xtest.fake_input(self.display, X.MotionNotify, x=x, y=y)

    def move(self, args, _call):
        self.at(*self.place(args))
        self.display.flush()
        return {}

    @contextmanager
    def held(self, names):
        codes = [self.code_of(name)[0] for name in names]
        try:
            for code in codes:
                xtest.fake_input(self.display, X.KeyPress, code)
            yield
        finally:
            for code in reversed(codes):
                xtest.fake_input(self.display, X.KeyRelease, code)
            self.display.flush()

    def modifiers(self, args):
        names = args.get("modifiers", [])
        for name in names:
            if name not in MODIFIERS:
                raise Refusal("refused", f"{name!r} is no modifier.", f"There are: {', '.join(sorted(MODIFIERS))}.")
        return names

    def click(self, args, _call):
        button, count = self.named_button(args), int(number(args, "count", 1, 3, 1))
        x, y = self.place(args)
        with self.held(self.modifiers(args)):
            self.at(x, y)
            for _ in range(count):
                xtest.fake_input(self.display, X.ButtonPress, button)
                xtest.fake_input(self.display, X.ButtonRelease, button)
        return {}

    def button(self, args, _call):
        """Presses or releases one button where the pointer is."""
        down = args.get("down") is True
        xtest.fake_input(self.display, X.ButtonPress if down else X.ButtonRelease, self.named_button(args))
        self.display.flush()
        return {}

    def drag(self, args, _call):
        points = [self.place(point) for point in args.get("path", [])]
        if not 2 <= len(points) <= 1000:
            raise Refusal("refused", "A drag needs from 2 to 1000 points.")
        button, duration = self.named_button(args), number(args, "durationMs", 0, 10_000, 200) / 1000
        steps = max(1, min(40, int(duration / 0.01)))
        with self.held(self.modifiers(args)):
            self.at(*points[0])
            xtest.fake_input(self.display, X.ButtonPress, button)
            self.display.flush()
            try:
                for (ax, ay), (bx, by) in zip(points, points[1:]):
                    for step in range(1, steps + 1):
                        self.at(ax + (bx - ax) * step // steps, ay + (by - ay) * step // steps)
                        self.display.flush()
                        time.sleep(duration / (steps * (len(points) - 1)))
            finally:
                xtest.fake_input(self.display, X.ButtonRelease, button)
        return {}

    def scroll(self, args, _call):
        direction = args.get("direction")
        if direction not in WHEEL:
            raise Refusal("refused", f"There is no direction {direction!r}.", f"There are: {', '.join(WHEEL)}.")
        x, y = self.place(args)
        with self.held(self.modifiers(args)):
            self.at(x, y)
            for _ in range(int(number(args, "clicks", 1, 100, 3))):
                xtest.fake_input(self.display, X.ButtonPress, WHEEL[direction])
                xtest.fake_input(self.display, X.ButtonRelease, WHEEL[direction])
        return {}

    # Keyboard

    def code_of(self, name):
        keysym = keysym_of_name(name)
        self.keyboard.changed()
        self.keyboard.prepare([keysym])
        return self.keyboard.find(keysym)

    def press(self, code, shifted):
        if shifted:
            xtest.fake_input(self.display, X.KeyPress, self.shift)
        xtest.fake_input(self.display, X.KeyPress, code)
        xtest.fake_input(self.display, X.KeyRelease, code)
        if shifted:
            xtest.fake_input(self.display, X.KeyRelease, self.shift)

    def key(self, args, _call):
        names = args.get("keys")
        if not isinstance(names, list) or not 1 <= len(names) <= 8 or not all(isinstance(name, str) and name for name in names):
            raise Refusal("refused", "A combination has from 1 to 8 keys.")
        places = [self.code_of(name) for name in names]
        action = args.get("action", "press")
        if action in ("down", "up"):
            for code, _ in places if action == "down" else reversed(places):
                xtest.fake_input(self.display, X.KeyPress if action == "down" else X.KeyRelease, code)
            self.display.sync()
            return {}
        *before, (code, shifted) = places
        with self.held(names[:-1]):
            for _ in range(int(number(args, "count", 1, 1000, 1))):
                self.press(code, shifted and self.shift not in [one for one, _ in before])
        self.display.sync()
        return {}

    def type(self, args, call):
        value = text(args, "text", longest=100_000)
        delay = number(args, "delayMs", 0, 1000, 2) / 1000
        self.keyboard.changed()
        keysyms = [keysym_of_character(one) for one in value.replace("\r\n", "\n")]
        for start in range(0, len(keysyms), 50):
            part = keysyms[start : start + 50]
            self.keyboard.prepare(part)
            for keysym in part:
                call.check()
                self.press(*self.keyboard.find(keysym))
                self.display.sync()
                if delay:
                    time.sleep(delay)
        return {"characters": len(keysyms)}

    # Pixels

    def region(self, args):
        region = args.get("region")
        if region is None:
            return 0, 0, self.width, self.height
        x, y, width, height = (region.get(name) for name in ("x", "y", "width", "height"))
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in (x, y, width, height))
        if not whole or x < 0 or y < 0 or width < 1 or height < 1 or x + width > self.width or y + height > self.height:
            raise Refusal("refused", f"The region {region} is not on the screen, which has {self.width} x {self.height} pixels.")
        return x, y, width, height

    @property
    def pixels(self):
        """Loaded when it is first wanted: a desktop is ready without."""
        if self.loaded is None:
            from pixels import Pixels

            self.loaded = Pixels(self.display, self.root, self.width, self.height)
        return self.loaded

    def warm(self):
        """What the first screenshot would wait for; others are kept waiting for the shortest part alone."""
        import pixels  # noqa: F401

        with self.used():
            _ = self.pixels

    def screenshot(self, args, _call):
        x, y, width, height = self.region(args)
        image = self.pixels.grab(x, y, width, height)
        from pixels import jpeg, png, resized

        size = args.get("size")
        if size is not None:
            image = resized(image, (int(number(size, "width", 1, 8192)), int(number(size, "height", 1, 8192))))
        file = jpeg(image, int(number(args, "quality", 1, 100, 80))) if args.get("format", "png") == "jpeg" else png(image)
        return {
            "data": base64.b64encode(file).decode(),
            "width": image.width,
            "height": image.height,
            "region": {"x": x, "y": y, "width": width, "height": height},
        }

    def wait_for_still(self, args, call):
        """Answers when the pixels have not changed for `quietMs`, but for an area of at most `tolerance` (a blinking caret)."""
        quiet, limit = number(args, "quietMs", 50, 60_000, 500) / 1000, number(args, "timeoutMs", 1, 600_000, 10_000) / 1000
        tolerance = number(args, "tolerance", 0, 10_000_000, 1200)
        started = still = time.monotonic()
        before = None
        from pixels import changed_area

        while True:
            call.check()
            with self.used():
                image = self.pixels.grab(*self.region(args))
            now = time.monotonic()
            if before is None or changed_area(before, image) > tolerance:
                before, still = image, now
            if now - still >= quiet:
                return {"afterMs": round((now - started) * 1000)}
            if now - started >= limit:
                raise Refusal("timeout", f"The screen was not still for {quiet:g} s within {limit:g} s.")
            time.sleep(0.05)

    # Windows

    def property_of(self, window, name, kind=X.AnyPropertyType):
        found = window.get_full_property(self.display.intern_atom(name), kind)
        return None if found is None else found.value

    def windows(self, _args, _call):
        listed = self.property_of(self.root, "_NET_CLIENT_LIST_STACKING", Xatom.WINDOW)
        active = self.property_of(self.root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)
        found = []
        for identity in listed if listed is not None else []:
            try:
                found.append(self.describe(identity, active is not None and len(active) > 0 and active[0] == identity))
            except (error.BadWindow, error.BadDrawable):
                continue
        return {"windows": found}

    def describe(self, identity, active):
        window = self.display.create_resource_object("window", identity)
        title = self.property_of(window, "_NET_WM_NAME") or self.property_of(window, "WM_NAME") or b""
        geometry = window.get_geometry()
        corner = self.root.translate_coords(window, 0, 0)
        pid = self.property_of(window, "_NET_WM_PID")
        states = self.property_of(window, "_NET_WM_STATE")
        hidden = self.display.intern_atom("_NET_WM_STATE_HIDDEN")
        names = window.get_wm_class() or ("", "")
        return {
            "id": int(identity),
            "title": title.decode("utf-8", "replace") if isinstance(title, bytes) else str(title),
            "class": names[1],
            "pid": int(pid[0]) if pid is not None and len(pid) else None,
            "x": int(corner.x),
            "y": int(corner.y),
            "width": int(geometry.width),
            "height": int(geometry.height),
            "active": bool(active),
            "minimized": states is not None and hidden in list(states),
        }

    def wait_for_window(self, args, call):
        title, kind = text(args, "title", "").lower(), text(args, "class", "").lower()
        limit = number(args, "timeoutMs", 1, 600_000, 30_000) / 1000
        started = time.monotonic()
        while True:
            call.check()
            with self.used():
                found = self.windows({}, call)["windows"]
            for window in reversed(found):
                if title in window["title"].lower() and kind in window["class"].lower():
                    return {"window": window}
            if time.monotonic() - started >= limit:
                there = "; ".join(window["title"] for window in found) or "none"
                raise Refusal("timeout", f"No window with {title!r} in its title and {kind!r} in its class came within {limit:g} s. There are: {there}.")
            time.sleep(0.05)

    def focus(self, args, _call):
        from Xlib.protocol import event

        identity = int(number(args, "id", 1, 2**32 - 1))
        if identity not in [window["id"] for window in self.windows({}, None)["windows"]]:
            raise Refusal("refused", f"There is no window {identity}.")
        window = self.display.create_resource_object("window", identity)
        message = event.ClientMessage(window=window, client_type=self.display.intern_atom("_NET_ACTIVE_WINDOW"), data=(32, [2, X.CurrentTime, 0, 0, 0]))
        self.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.display.sync()
        return {}
