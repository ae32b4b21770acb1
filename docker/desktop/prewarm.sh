#!/bin/bash
# Runs the office suite once, so that every sandbox begins with a profile that is set up and asks nothing. The profile ends in /opt/desktop/home.
set -eu
home=/opt/desktop/home
profile="$home/.config/libreoffice/4/user"
install -d "$profile"
cp /opt/desktop/registrymodifications.xcu "$profile/registrymodifications.xcu"
export HOME="$home" XDG_RUNTIME_DIR=/tmp/prewarm DISPLAY=:77
install -d -m 0700 "$XDG_RUNTIME_DIR"
Xvfb :77 -screen 0 1280x800x24 -nolisten tcp >/dev/null 2>&1 &
display=$!
for _ in $(seq 240); do
  xdpyinfo >/dev/null 2>&1 && break
  sleep 0.25
done
openbox &
manager=$!
# On a machine under load the first start may hang: it is tried again.
for attempt in 1 2 3; do
  dbus-run-session -- soffice --calc --norestore --nologo >/tmp/prewarm.log 2>&1 &
  office=$!
  for _ in $(seq 120); do
    if wmctrl -l 2>/dev/null | grep -q Calc; then ready=yes; break; fi
    sleep 0.5
  done
  [ "${ready:-}" != yes ] || break
  echo "The office suite showed no window, attempt $attempt:" >&2
  wmctrl -l >&2 || true
  ps -eo pid,stat,args >&2 || true
  tail -5 /tmp/prewarm.log >&2
  pkill -KILL soffice || true
  wait "$office" || true
done
[ "${ready:-}" = yes ] || exit 1
sleep 3
wmctrl -c Calc || true
wait "$office" || true
kill "$manager" "$display" && wait "$manager" "$display" || true
rm -rf "$XDG_RUNTIME_DIR" "$home/.cache" /tmp/.X11-unix /tmp/.X77-lock /tmp/prewarm.log /tmp/lu* /tmp/OSL_*
rm -f "$profile/.lock" "$home/.config/libreoffice/4/.lock"
# The size that the window happened to have here is no size for later.
sed -i '/ooSetupFactoryWindowAttributes/d' "$profile/registrymodifications.xcu"
grep -q WarnAlienFormat "$profile/registrymodifications.xcu"
chmod -R a+rX "$home"
