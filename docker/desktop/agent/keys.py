"""Keysyms and keycodes: names to keysyms, keysyms to what has to be pressed on the present layout."""

import importlib
import pkgutil
import time

import Xlib.keysymdef
from Xlib import X, XK

from protocol import Refusal

NAMES = {}
for module in pkgutil.iter_modules(Xlib.keysymdef.__path__):
    for name, value in vars(importlib.import_module(f"Xlib.keysymdef.{module.name}")).items():
        if name.startswith("XK_") and isinstance(value, int):
            NAMES[name[3:]] = value
            if name.startswith("XK_XF86_"):
                NAMES["XF86" + name[8:]] = value
for value in range(0x20, 0x7F):
    NAMES.setdefault(chr(value), value)

CONTROLS = {"\n": XK.XK_Return, "\r": XK.XK_Return, "\t": XK.XK_Tab, "\b": XK.XK_BackSpace, "\x1b": XK.XK_Escape}


def keysym_of_character(character):
    code = ord(character)
    if character in CONTROLS:
        return CONTROLS[character]
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF:
        raise Refusal("refused", f"The character U+{code:04X} cannot be typed.", "Press a key by name instead.")
    return code if code <= 0xFF else 0x01000000 + code


def keysym_of_name(name):
    if len(name) == 1:
        return keysym_of_character(name)
    if name in NAMES:
        return NAMES[name]
    if name.startswith("0x") and len(name) <= 10:
        try:
            return int(name, 16)
        except ValueError:
            pass
    if len(name) in (5, 6, 7) and name[0] in "Uu":
        try:
            return keysym_of_character(chr(int(name[1:], 16)))
        except ValueError:
            pass
    raise Refusal("refused", f"There is no key named {name!r}.", "Name a keysym of X, such as Return, Page_Down or U20AC.")


class Keyboard:
    """Finds keycodes on the layout as it is. A keysym that the layout lacks gets one of the unused keycodes, and keeps it as long as there are others: a
    program may look the mapping up long after the key was pressed."""

    def __init__(self, display):
        self.display = display
        self.low = display.display.info.min_keycode
        self.high = display.display.info.max_keycode
        self.lent = {}
        self.read()

    def read(self):
        rows = self.display.get_keyboard_mapping(self.low, self.high - self.low + 1)
        self.width = len(rows[0])
        self.places = {}
        spare = []
        own = set(self.lent.values())
        for keycode, row in enumerate(rows, self.low):
            if keycode not in own and not any(row):
                spare.append(keycode)
            for level in (1, 0):
                if level < len(row) and row[level]:
                    current = self.places.get(row[level])
                    if current is None or level < current[1]:
                        self.places[row[level]] = (keycode, level == 1)
        self.spare = spare

    def prepare(self, keysyms):
        """Makes every keysym of a text typable with one change of the mapping, where the spare keycodes suffice."""
        missing = [keysym for keysym in dict.fromkeys(keysyms) if not self.find(keysym)]
        if not missing:
            return
        if len(missing) > len(self.spare) + len(self.lent):
            raise Refusal("refused", "The text has more different characters than the keyboard has spare keys.", "Type it in parts.")
        for keysym in missing:
            if self.spare:
                keycode = self.spare.pop(0)
            else:
                oldest = next(one for one in self.lent if one not in keysyms)
                keycode = self.lent.pop(oldest)
                self.places.pop(oldest, None)
            self.display.change_keyboard_mapping(keycode, [[keysym] * self.width])
            self.lent[keysym] = keycode
            self.places[keysym] = (keycode, False)
        self.display.sync()
        # Programs take in the new mapping before the first key that needs it.
        time.sleep(0.05)

    def find(self, keysym):
        place = self.places.get(keysym)
        if place is None and 0x01000000 < keysym:
            place = next((self.places[one] for one in legacy(keysym) if one in self.places), None)
        return place

    def changed(self):
        """Takes in a layout that somebody else has set."""
        while self.display.pending_events():
            event = self.display.next_event()
            if event.type == X.MappingNotify and event.request == X.MappingKeyboard:
                self.display.refresh_keyboard_mapping(event)
                self.lent = {keysym: code for keysym, code in self.lent.items() if self.display.keycode_to_keysym(code, 0) == keysym}
                self.read()


BY_CHARACTER = {}
for _name, _value in NAMES.items():
    if 0xFF < _value < 0xFE00:
        BY_CHARACTER.setdefault(_name, _value)
LEGACY = {0x20AC: BY_CHARACTER.get("EuroSign")}


def legacy(keysym):
    """Keysyms older than Unicode's that layouts still have for the same character."""
    value = LEGACY.get(keysym - 0x01000000)
    return [value] if value else []
