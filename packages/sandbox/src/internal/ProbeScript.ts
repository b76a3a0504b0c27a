/** The script that tests a sandbox from inside; it prints one `name=value` per line. */

/** Arguments after `sh`: a file outside the workspace, a port with a server, a number for `sleep`. */
export const script = `
outside=$1 port=$2 sleeper=$3
say() { printf '%s=%s\\n' "$1" "$2"; }
write() { printf x > "$1"; }
any() { for attempt; do if eval "$attempt" >/dev/null 2>&1; then echo yes; return; fi; done; echo no; }
# The first file that opens for writing; nothing is written, and no link is followed.
opens() {
  for one in "$1"/*; do
    [ -h "$one" ] && continue
    true >> "$one" && { echo "$one"; exit; }
    [ -d "$one" ] && opens "$one"
  done
}
settings() {
  exec 2>/dev/null
  for top in /proc/[!0-9]*; do
    [ -h "$top" ] && continue
    true >> "$top" && { echo "$top"; exit; }
    [ -d "$top" ] && opens "$top"
  done
  opens /sys
  for process in /proc/[0-9]*; do [ "$process" = /proc/$$ ] || opens "$process"; done
  echo none
}
say workspace "$(any 'write made')"
reached=$(any 'cat "$outside"' 'write /usr/bough-probe' 'write /etc/bough-probe' 'write /bough-probe')
say outside "$reached"
# Skipped without a sandbox, where it would open the machine's own settings.
[ "$reached" = no ] && say settings "$(settings)"
# The caller reads whether this has changed the file: a write may seem to succeed in a copy.
any 'write "$outside"' >/dev/null
say setid "$(any 'chmod u+s made' 'chmod g+s made')"
say protected "$(any 'mkdir .bough' 'write .bough/x' 'mv .bough moved' 'mv .git moved' 'write .git/config' 'mv .git/config moved' 'write .git/hooks/x' 'mv .git/hooks moved' 'write .git/commondir' 'mv .git/objects moved' 'write .git/objects/info/alternates')"
say environment "$(tr '\\000' '\\n' < /proc/1/environ | cut -d= -f1 | tr '\\n' ' ')"
interfaces=; while read -r name _; do case $name in *:) interfaces="$interfaces\${name%:} ";; esac; done < /proc/net/dev
say interfaces "$interfaces"
[ -x /bin/bash ] && say connected "$(any '/bin/bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"')"
descriptors=; for one in /proc/$$/fd/*; do if [ -L "$one" ]; then descriptors="$descriptors\${one##*/} "; fi; done
say descriptors "$descriptors"
while read -r name value _; do case $name in Uid:|CapEff:|NoNewPrivs:|Seccomp:) say "\${name%:}" "$value";; esac; done < /proc/self/status
command -v unshare >/dev/null && say namespace "$(any 'unshare -U true')"
say parent "$(cat /proc/1/comm)"
(trap '' HUP; sleep "$sleeper" >/dev/null 2>&1 &)
sleep "$sleeper" &
`

/** The values by name. */
export const parse = (output: string): ReadonlyMap<string, string> =>
  new Map(
    output.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]]
    })
  )
