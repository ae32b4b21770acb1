"""The tree that assistive technology sees. It is read in a process of its own, since programs that hang or the library itself may take it along."""

import json
import subprocess
import sys

from protocol import Refusal, number, text

HIDDEN = -(2**31)


def accessibility_tree(session, args, call):
    limit, most = number(args, "timeoutMs", 100, 120_000, 15_000) / 1000, int(number(args, "maxNodes", 1, 50_000, 5_000))
    command = [sys.executable, __file__, str(most), text(args, "application", "").lower()]
    env = {key: value for key, value in session.env.items() if not key.startswith(("LD_", "FAKETIME"))}
    call.check()
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        raise Refusal("timeout", f"The accessibility tree was not read within {limit:g} s.", "Name one application, or ask for fewer nodes.") from None
    if done.returncode != 0:
        raise Refusal("failed", f"The accessibility tree could not be read: {done.stderr.decode('utf-8', 'replace')[-300:]}")
    return json.loads(done.stdout)


def main():
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib

    most, wanted = int(sys.argv[1]), sys.argv[2]
    Atspi.init()
    Atspi.set_timeout(800, 3000)
    nodes, truncated = [], False
    states = {"ACTIVE", "CHECKED", "EDITABLE", "ENABLED", "EXPANDED", "FOCUSED", "SELECTED", "SHOWING", "VISIBLE"}
    known = {getattr(Atspi.StateType, name): name.lower() for name in states}

    def describe(node, parent):
        try:
            extents = node.get_extents(Atspi.CoordType.SCREEN) if node.get_component_iface() else None
        except GLib.Error:
            extents = None
        shown = extents is not None and extents.x != HIDDEN and extents.width > 0 and extents.height > 0
        held = node.get_state_set()
        content = None
        try:
            if node.get_text_iface() is not None:
                content = Atspi.Text.get_text(node, 0, min(Atspi.Text.get_character_count(node), 1000))
        except GLib.Error:
            pass
        return {
            "parent": parent,
            "role": node.get_role_name() or "unknown",
            "name": node.get_name() or "",
            "text": content,
            "states": sorted(name for kind, name in known.items() if held.contains(kind)),
            "box": {"x": extents.x, "y": extents.y, "width": extents.width, "height": extents.height} if shown else None,
        }

    desktop = Atspi.get_desktop(0)
    waiting = []
    for index in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(index)
        if application is not None and wanted in (application.get_name() or "").lower():
            waiting.append((application, None))
    waiting.reverse()
    while waiting:
        node, parent = waiting.pop()
        if len(nodes) >= most:
            truncated = True
            break
        try:
            nodes.append(describe(node, parent))
            own = len(nodes) - 1
            # Tables of spreadsheets have a billion cells: they say so, and only what shows is of use.
            manages = node.get_state_set().contains(Atspi.StateType.MANAGES_DESCENDANTS)
            count = 0 if manages else node.get_child_count()
            children = [node.get_child_at_index(index) for index in range(min(count, most))]
            waiting.extend((child, own) for child in reversed(children) if child is not None)
        except GLib.Error:
            continue
    json.dump({"nodes": nodes, "truncated": truncated}, sys.stdout)


if __name__ == "__main__":
    main()
