# Tries each way out of the sandbox separately, and prints the ways that lead out and the number of tried ways.
# $1: a directory outside with `canary`; $2: a port of the machine; $3: a process of the machine; $4: its abstract socket.
outside=$1 port=$2 pid=$3 abstract=$4
tried=0
# The caller checks the result, because /tmp is another directory here.
change() {
  tried=$((tried + 1))
  (eval "$1") >/dev/null 2>&1 </dev/null
}
way() {
  tried=$((tried + 1))
  if (eval "$1") >/dev/null 2>&1 </dev/null; then echo "OUT $tried $1"; fi
}
# Fails if the call is refused. The numbers of system calls are those of x86-64.
call() { perl -e '$! = 0; my @a = map { /^-?\d+$/ ? $_ + 0 : $_ } @ARGV; my $n = shift @a; exit(syscall($n, @a) == -1 ? 1 : 0)' "$@"; }
socket() { perl -MSocket -e 'socket(my $s, $ARGV[0], $ARGV[1], $ARGV[2]) or exit 1' "$@"; }
reaches() { timeout 3 bash -c "exec 3<>/dev/tcp/$1/$2"; }
fetched() { timeout 5 curl -sS -m 3 "$@" | grep -q hidden; }

# Writing outside.
for file in /etc /usr /usr/bin /usr/lib / /root /home /opt /srv /boot /sys /proc /dev /lib /run /etc/cron.d /var/spool; do
  way "echo x > $file/bough-way-out"
done
change 'echo x > "$outside/canary"'
change 'echo x > ../canary'
change 'ln -s "$outside" link; echo x > link/canary'
way 'ln -s / root; grep -q secret "root$outside/canary"'
way 'ln "$outside/canary" hard'
way 'cp -l /etc/hostname hard2'
change 'mv ../canary mine'
change 'cd ..; mv workspace elsewhere'
change 'rm -f "$outside/canary" ../canary'
change 'mkdir ../made "$outside/made2"'
# Reading outside.
way 'grep -q secret "$outside/canary"'
way 'grep -q secret ../canary'
way 'grep -rqs "canary-[w]ord" "$outside"'
way 'grep -q secret "/proc/self/root$outside/canary"'
way 'grep -q secret "/proc/1/root$outside/canary"'
way 'grep -q secret "/proc/1/cwd/$outside/canary"'
way 'grep -q secret /proc/self/cwd/../canary'
way 'cat /etc/shadow'
way 'grep -q "^root:" /etc/passwd'
way 'ls /root/.ssh /home/*/.ssh | grep -q .'
way 'ls /var/log | grep -q .'
way 'cat /etc/ssh/* /etc/ssl/private/* | grep -q PRIVATE'
way 'tr "\0" "\n" < /proc/1/environ | grep -q canary-5e1f'
way 'cat /proc/[0-9]*/environ | tr "\0" "\n" | grep -q canary-5e1f'
way 'cat /proc/[0-9]*/cmdline | grep -aq "bough-way-[a]live"'
way 'find / -xdev -name canary -exec grep -q secret {} \; -print 2>/dev/null | grep -q .'
way 'head -c 1 /dev/mem'
way 'head -c 1 /dev/kmem'
way 'head -c 1 /dev/port'
way 'head -c 1 /dev/sda || head -c 1 /dev/vda || head -c 1 /dev/nvme0n1'
way 'head -c 16 /proc/kcore | grep -q .'
way 'dmesg | grep -q .'
way 'ls /dev | grep -Eqx "sd[a-z]|vd[a-z]|nvme.*|kvm|fuse|mapper|loop.*"'
way 'cat .env | grep -q hidden-secret'
way 'cp .env other; grep -q hidden-secret other'
way 'ln .env other2 && grep -q hidden-secret other2'
way 'mv deep moved; grep -q hidden-secret moved/.env'
way 'tar cf - . | grep -aq hidden-secret'
# Doors of the workspace.
way 'echo x >> .git/config'
way 'echo x > .git/hooks/post-checkout'
way 'mv .git/hooks moved-hooks'
way 'mv .git moved-git'
way 'rm -rf .git/objects/* && [ -z "$(ls .git/objects)" ]'
way 'mkdir .bough/x || echo x > .bough/settings.json'
way 'mv .bough moved-bough'
way 'echo x >> AGENTS.md'
way 'mv AGENTS.md moved-agents && echo x > AGENTS.md'
way 'rm -f AGENTS.md; [ ! -s AGENTS.md ]'
way 'git config core.fsmonitor ./evil && git config core.fsmonitor'
# Mounts and namespaces.
way 'mount -t tmpfs x /mnt'
way 'mount --bind / .'
way 'mount -o remount,rw /'
way 'mount -o remount,rw,bind /usr && echo x > /usr/bough-way-out'
way 'umount /proc || umount -l .git/config || umount -l /tmp'
way 'chroot . /bin/true'
way 'unshare -Ur true'
way 'unshare -m true'
way 'unshare -n true'
way 'unshare -p --fork true'
way 'nsenter -t 1 -a true'
way 'for n in /proc/[0-9]*/ns/mnt; do nsenter --mount=$n grep -q secret "$outside/canary" && exit 0; done; exit 1'
way 'mknod device b 8 0'
way 'mknod device2 c 1 1'
way 'losetup -f'
# Privileges.
way 'su -c true'
way 'sudo -n true'
way 'cp /bin/sh own; chmod u+s own; [ -u own ]'
way 'cp /bin/sh own2; chmod g+s own2; [ -g own2 ]'
way 'install -m 4755 /bin/sh own3; [ -u own3 ]'
way 'setcap cap_sys_admin+ep own'
way 'chown 12345 own'
way 'perl -e "\$> = 0; exit(\$> != 0)"'
way 'perl -e "\$< = 0; exit(\$< != 0)"'
way 'nice -n -5 sh -c "[ \$(nice) -lt 0 ]"'
way 'echo -1000 > /proc/self/oom_score_adj'
# Settings of the kernel.
for file in kernel/core_pattern kernel/modprobe kernel/hotplug kernel/randomize_va_space vm/drop_caches net/ipv4/ip_forward fs/suid_dumpable kernel/yama/ptrace_scope; do
  way "cat /proc/sys/$file > /proc/sys/$file"
done
way 'echo h > /proc/sysrq-trigger'
way 'echo x > /sys/kernel/uevent_helper'
way 'mkdir /sys/fs/cgroup/bough-way-out'
# Processes.
way 'kill -0 "$pid" && grep -q "bough-way-[a]live" "/proc/$pid/cmdline"'
way 'grep -lq "bough-way-[a]live" /proc/[0-9]*/cmdline'
way 'renice 5 "$pid" && grep -q "bough-way-[a]live" "/proc/$pid/cmdline"'
way 'dd if=/proc/1/mem of=/dev/null bs=1 count=1 skip=4194304'
way ': > /proc/1/mem'
way 'ls -l /proc/1/fd/ | grep -q socket'
way 'perl -e "exit(syscall(101, 16, 1, 0, 0) == -1)"'
way 'for f in 3 4 5 6 7 8 9; do (: >&$f) 2>/dev/null && exit 0; done; exit 1'
# Network.
way 'reaches 127.0.0.1 "$port"'
way 'reaches ::1 "$port"'
way 'reaches 1.1.1.1 53'
way 'reaches 169.254.169.254 80'
way 'reaches 10.0.0.1 80'
way 'getent hosts example.com'
way 'ping -c 1 -W 1 1.1.1.1'
way 'fetched --noproxy "*" "http://127.0.0.1:$port/"'
way 'fetched --noproxy "" "http://127.0.0.1:$port/"'
way 'fetched --noproxy "" "http://localhost:$port/"'
way 'fetched --noproxy "" "http://2130706433:$port/"'
way 'fetched --noproxy "" "http://0x7f.1:$port/"'
way 'fetched --noproxy "" -g "http://[::1]:$port/"'
way 'fetched --noproxy "" -g "http://[::ffff:127.0.0.1]:$port/"'
way 'fetched -p --noproxy "" "http://127.0.0.1:$port/"'
way 'fetched --noproxy "" http://169.254.169.254/latest/meta-data/'
way 'fetched --unix-socket /var/run/docker.sock http://localhost/'
way 'ip link add x type dummy'
way 'ip addr add 10.1.2.3/8 dev lo'
way 'socket 2 3 1'
way 'socket 17 3 0'
way 'socket 1 1 0'
way 'socket 40 1 0'
way 'socket 16 3 9 && ip link set lo mtu 1000'
way 'perl -MSocket -e "socket(my \$s, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect(\$s, pack(q(S), AF_UNIX) . qq(\\0\$ARGV[0])) or exit 1" "$abstract"'
way 'docker ps'
way 'systemd-run true'
way 'echo true | at now'
way 'echo "* * * * * true" | crontab -'
# System calls.
[ "$(uname -m)" = x86_64 ] && {
  way 'call 165 none . tmpfs 0 0'
  way 'call 155 . .'
  way 'call 161 .'
  way 'call 272 268435456'
  way 'call 272 131072'
  way 'call 308 0 0'
  way 'call 101 16 "$pid" 0 0'
  way 'call 310 "$pid" 0 0 0 0 0 && grep -q "bough-way-[a]live" "/proc/$pid/cmdline"'
  way 'call 248 user name value 5 -3'
  way 'call 250 0 -3 1'
  way 'call 321 0 0 0'
  way 'call 298 0 0 -1 -1 0'
  way 'call 323 0'
  way 'call 425 8 0'
  way 'call 246 0 0 0 0'
  way 'call 175 0 0 0'
  way 'call 313 0 x 0'
  way 'call 176 loop 0'
  way 'call 304 3 0 0'
  way 'call 430 tmpfs 0'
  way 'call 428 -100 / 1'
  way 'call 442 -100 / 0 0 0'
  way 'call 167 /dev/null 0'
  way 'call 169 0 0 0'
  way 'call 170 evil 4'
  way 'call 172 3'
  way 'call 173 0 1 1'
  way 'call 163 ./acct'
  way 'call 164 0 1'
  way 'call 103 5 0 0'
  way 'call 105 0'
  way 'call 106 0'
  way 'call 117 0 0 0'
  way 'call 116 0 0'
  way 'call 133 ./node 24576 2048'
  way 'call 300 0 0'
  way 'call 437 -100 x 0 24'
}
echo "TRIED $tried"
