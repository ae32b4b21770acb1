/** Shell functions for environment, windows and desktop; each leaves the same state when it is called again. */

export const environment = `
# set_env NAME VALUE: for what this script starts and for later sessions of the user.
set_env() {
  local folder="\${XDG_CONFIG_HOME:-$HOME/.config}/task-setup" hook file
  mkdir -p -- "$folder"
  touch -- "$folder/env.sh"
  grep -v -- "^export $1=" "$folder/env.sh" >"$folder/env.sh.new" || true
  printf 'export %s=%q\\n' "$1" "$2" >>"$folder/env.sh.new"
  mv -f -- "$folder/env.sh.new" "$folder/env.sh"
  hook="$(printf '[ ! -r %q ] || . %q' "$folder/env.sh" "$folder/env.sh")"
  for file in "$HOME/.profile" "$HOME/.bashrc"; do
    touch -- "$file"
    grep -qxF -- "$hook" "$file" || printf '%s\\n' "$hook" >>"$file"
  done
  export "$1=$2"
}
`;

export const windows = `
export DISPLAY="\${DISPLAY:-:0}"

# find_window KIND TEXT: prints the id of the first window with the text in its title or class.
find_window() {
  local id class title
  while read -r id _ class _ title; do
    case "$1" in
      title) [[ "$title" == *"$2"* ]] || continue ;;
      class) [[ "\${class,,}" == *"\${2,,}"* ]] || continue ;;
      *) return 1 ;;
    esac
    printf '%s\\n' "$id"
    return 0
  done < <(wmctrl -lx 2>/dev/null)
  return 1
}

# wait_window KIND TEXT SECONDS: waits until there is such a window.
wait_window() {
  local tries
  command -v wmctrl >/dev/null || fail "wmctrl is not installed"
  for ((tries = 0; tries < $3 * 4; tries += 1)); do
    if find_window "$1" "$2" >/dev/null; then
      return 0
    fi
    sleep 0.25
  done
  fail "no window with the $1 $2 within $3 seconds"
}

# window_state KIND TEXT SECONDS ACTION [X,Y,WIDTH,HEIGHT]: brings a window into a state, once it is there.
window_state() {
  local id
  wait_window "$1" "$2" "$3"
  id="$(find_window "$1" "$2")"
  case "$4" in
    maximise) wmctrl -i -r "$id" -b add,maximized_vert,maximized_horz ;;
    restore)
      wmctrl -i -r "$id" -b remove,maximized_vert,maximized_horz
      wmctrl -i -a "$id"
      ;;
    focus) wmctrl -i -a "$id" ;;
    minimise)
      command -v xdotool >/dev/null || fail "xdotool is not installed"
      xdotool windowminimize "$id"
      ;;
    place)
      wmctrl -i -r "$id" -b remove,maximized_vert,maximized_horz
      wmctrl -i -r "$id" -e "0,$5"
      ;;
    *) fail "there is no window state $4" ;;
  esac
}
`;

export const desktop = `
export DISPLAY="\${DISPLAY:-:0}"

# has_key SCHEMA KEY: whether the desktop has this setting of GNOME's kind.
has_key() {
  command -v gsettings >/dev/null && gsettings writable "$1" "$2" >/dev/null 2>&1
}

# has_xfce: whether the desktop keeps its settings as Xfce does.
has_xfce() {
  command -v xfconf-query >/dev/null && xfconf-query -l >/dev/null 2>&1
}

# xfce CHANNEL PROPERTY TYPE VALUE: makes a setting of Xfce.
xfce() {
  xfconf-query -c "$1" -p "$2" -n -t "$3" -s "$4"
}

# wallpaper FILE: shows an image behind all windows.
wallpaper() {
  local made=no property
  [ -r "$1" ] || fail "there is no image $1"
  if has_key org.gnome.desktop.background picture-uri; then
    gsettings set org.gnome.desktop.background picture-uri "file://$1"
    made=yes
  fi
  if has_xfce; then
    while read -r property; do
      xfconf-query -c xfce4-desktop -p "$property" -s "$1"
      made=yes
    done < <(xfconf-query -c xfce4-desktop -l 2>/dev/null | grep -- '/last-image$' || true)
  fi
  # Where no desktop draws the background by itself, feh does; elsewhere what it draws is covered.
  if command -v feh >/dev/null; then
    feh --no-fehbg --bg-fill -- "$1"
    made=yes
  fi
  [ "$made" = yes ] || fail "this desktop has no setting for the wallpaper"
}

# xsetting NAME TYPE VALUE: makes a setting that programs take from the display, and sees to it that it is given out.
xsetting() {
  local file="\${XDG_CONFIG_HOME:-$HOME/.config}/xsettingsd/xsettingsd.conf" value="\\"$3\\""
  # What is counted in points there is given out in 1024ths.
  [ "$2" = string ] || value="$(($3 * 1024))"
  mkdir -p -- "$(dirname -- "$file")"
  touch -- "$file"
  grep -v -- "^$1 " "$file" >"$file.new" || true
  printf '%s %s\\n' "$1" "$value" >>"$file.new"
  mv -f -- "$file.new" "$file"
  if ! pkill -HUP -x xsettingsd; then
    setsid nohup xsettingsd -c "$file" >/dev/null 2>&1 </dev/null &
  fi
}

# interface KEY VALUE CHANNEL PROPERTY TYPE XFCE-VALUE: a setting that GNOME and Xfce both have.
interface() {
  local made=no
  if has_key org.gnome.desktop.interface "$1"; then
    gsettings set org.gnome.desktop.interface "$1" "$2"
    made=yes
  fi
  if has_xfce; then
    xfce "$3" "$4" "$5" "$6"
    made=yes
  fi
  if command -v xsettingsd >/dev/null; then
    xsetting "\${4#/}" "$5" "$6"
    made=yes
  fi
  [ "$made" = yes ] || fail "this desktop has no setting for $1"
}

# desktop SETTING VALUE: makes a setting of the desktop.
desktop() {
  local output
  case "$1" in
    time-zone) set_env TZ "$2" ;;
    locale) set_env LANG "$2" ;;
    theme) interface gtk-theme "$2" xsettings /Net/ThemeName string "$2" ;;
    font-scale) interface text-scaling-factor "$2" xsettings /Xft/DPI int "$(LC_ALL=C awk -v scale="$2" 'BEGIN { printf "%.0f", 96 * scale }')" ;;
    wallpaper) wallpaper "$2" ;;
    keyboard-layout) setxkbmap -layout "$2" ;;
    resolution)
      output="$(xrandr --query | awk '/ connected/ { print $1; exit }')"
      [ -n "$output" ] || fail "no screen is connected"
      xrandr --output "$output" --mode "$2"
      ;;
    screensaver)
      xset s off
      xset -dpms || true
      if has_key org.gnome.desktop.session idle-delay; then
        gsettings set org.gnome.desktop.session idle-delay 0
      fi
      if has_xfce; then
        xfce xfce4-screensaver /saver/enabled bool false
      fi
      ;;
    *) fail "there is no setting $1" ;;
  esac
}
`;

export const services = `
# serves KIND MARK: whether a service is there.
serves() {
  case "$1" in
    port) (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null ;;
    path) [ -e "$2" ] ;;
    *) return 1 ;;
  esac
}

# serve NAME KIND MARK SECONDS COMMAND...: starts a program that stays, unless it runs already, and waits until it serves.
serve() {
  local name="$1" kind="$2" mark="$3" limit="$4" folder pid tries
  folder="\${TMPDIR:-/tmp}/task-setup-$(id -u)"
  shift 4
  mkdir -p -- "$folder"
  if [ -f "$folder/$name.service" ] && kill -0 "$(cat -- "$folder/$name.service")" 2>/dev/null && serves "$kind" "$mark"; then
    return 0
  fi
  command -v -- "$1" >/dev/null || fail "$1 is not installed"
  setsid nohup "$@" >"$folder/$name.log" 2>&1 </dev/null &
  pid=$!
  printf '%s\\n' "$pid" >"$folder/$name.service"
  for ((tries = 0; tries < limit * 4; tries += 1)); do
    kill -0 "$pid" 2>/dev/null || fail "the service $name ended before it served; see $folder/$name.log"
    if serves "$kind" "$mark"; then
      return 0
    fi
    sleep 0.25
  done
  fail "the service $name did not serve within $limit seconds; see $folder/$name.log"
}
`;

export const mail = `
# mail_profile PERSON ADDRESS: a profile of Thunderbird that asks nothing, with an identity and local folders, unless it is there.
mail_profile() {
  local root="$HOME/.thunderbird" profile="$HOME/.thunderbird/task.default"
  mkdir -p -- "$profile/Mail/Local Folders"
  chmod 0700 "$root"
  [ ! -e "$profile/prefs.js" ] || return 0
  # The program takes a default profile that an installation of itself has used last; else it would begin with a new one.
  printf '[Compatibility]\\nLastVersion=1\\nLastOSABI=Linux_x86_64-gcc3\\nLastPlatformDir=/usr/lib/thunderbird\\nLastAppDir=/usr/lib/thunderbird\\n' >"$profile/compatibility.ini"
  printf '[General]\\nStartWithLastProfile=1\\nVersion=2\\n\\n[Profile0]\\nName=default\\nIsRelative=1\\nPath=task.default\\nDefault=1\\n' >"$root/profiles.ini"
  {
    printf 'user_pref("mail.identity.id1.fullName", "%s");\\n' "$1"
    printf 'user_pref("mail.identity.id1.useremail", "%s");\\n' "$2"
    cat <<'PREFERENCES'
user_pref("mail.identity.id1.valid", true);
user_pref("mail.account.account1.identities", "id1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.account.lastKey", 1);
user_pref("mail.accountmanager.accounts", "account1");
user_pref("mail.accountmanager.defaultaccount", "account1");
user_pref("mail.accountmanager.localfoldersserver", "server1");
user_pref("mail.server.server1.directory-rel", "[ProfD]Mail/Local Folders");
user_pref("mail.server.server1.hostname", "Local Folders");
user_pref("mail.server.server1.name", "Local Folders");
user_pref("mail.server.server1.type", "none");
user_pref("mail.server.server1.userName", "nobody");
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.rights.version", 1);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.spam.version", 1);
user_pref("mail.winsearch.firstRunDone", true);
user_pref("mailnews.start_page.enabled", false);
user_pref("mailnews.start_page_override.mstone", "ignore");
user_pref("app.donation.eoy.version.viewed", 999);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
user_pref("network.captive-portal-service.enabled", false);
PREFERENCES
  } >"$profile/prefs.js.new"
  mv -f -- "$profile/prefs.js.new" "$profile/prefs.js"
}

# mail_folder NAME MBOX: a local folder with these messages, unless it is there. The program begins with Inbox, or with the first folder, before it.
mail_folder() {
  local profile="$HOME/.thunderbird/task.default" file
  file="$profile/Mail/Local Folders/$1"
  [ ! -e "$file" ] || return 0
  printf '%s' "$2" >"$file.new"
  mv -f -- "$file.new" "$file"
  if [ "$1" = Inbox ] || [ ! -e "$profile/session.json" ]; then
    printf '{"rev":0,"windows":[{"type":"3pane","tabs":{"rev":0,"selectedIndex":0,"tabs":[{"mode":"mail3PaneTab","state":{"firstTab":true,"folderPaneVisible":true,"folderURI":"mailbox://nobody@Local%%20Folders/%s","messagePaneVisible":true},"ext":{}}]}}]}' "\${1// /%20}" >"$profile/session.json.new"
    mv -f -- "$profile/session.json.new" "$profile/session.json"
  fi
}
`;
