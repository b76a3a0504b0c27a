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

unix() { perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect($s, pack_sockaddr_un($ARGV[0])) or exit 1' "$1"; }
attribute() { python3 -c 'import os, sys; os.setxattr("own5", sys.argv[1], bytes.fromhex("0100000200200000000000000000000000000000"))' "$1"; }

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
way "nice -n -5 sh -c \"[ \\\$(nice) -lt $(nice) ]\""
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
way 'systemd-run true'
way 'echo true | at now'
way 'echo "* * * * * true" | crontab -'
# Sockets of the machine's services, in files.
way 'unix "$outside/socket"'
way 'unix ../socket'
way 'unix ./socket'
way 'unix "/proc/1/root$outside/socket"'
way 'ln -s ../socket near; unix near'
for file in /run/docker.sock /var/run/docker.sock /run/podman/podman.sock /run/containerd/containerd.sock /run/dbus/system_bus_socket /run/user/0/bus /run/user/1000/bus /run/user/1000/wayland-0 /tmp/.X11-unix/X0 /run/systemd/private /run/systemd/journal/socket /dev/log /run/nscd/socket /run/user/1000/gnupg/S.gpg-agent; do
  way "test -e $file"
done
way 'test -n "$SSH_AUTH_SOCK$DISPLAY$WAYLAND_DISPLAY$DBUS_SESSION_BUS_ADDRESS$XAUTHORITY$DOCKER_HOST"'
way 'perl -MSocket -e "socketpair(my \$a, my \$b, AF_UNIX, SOCK_DGRAM, 0) and send(\$a, q(x), 0, pack_sockaddr_un(\$ARGV[0])) or exit 1" "$outside/socket"'
# Other families of sockets.
for family in 3 4 5 8 9 15 21 26 27 28 29 30 31 33 35 37 38 41 42 43 44 45; do
  way "socket $family 1 0 || socket $family 2 0 || socket $family 3 0 || socket $family 5 0"
done
way 'perl -MSocket -e "socket(my \$s, 16, 3, 15) or exit 1; bind(\$s, pack(q(SSLL), 16, 0, 0, 1)) or exit 1; vec(my \$r = q(), fileno(\$s), 1) = 1; select(\$r, undef, undef, 0.2) or exit 1"'
way 'ip route add 10.9.0.0/16 dev lo'
way 'ip netns add bough-way-out'
way 'ip tuntap add dev tap0 mode tap'
# Processes outside, by their directories in /proc.
way 'for p in /proc/[0-9]*; do grep -q secret "$p/root$outside/canary" && exit 0; done; exit 1'
way 'for p in /proc/[0-9]*/task/*; do grep -q secret "$p/root$outside/canary" "$p/cwd/../canary" && exit 0; done; exit 1'
way 'ls /proc/1/map_files/ | grep -q . && cat /proc/1/map_files/* | head -c 1 | grep -q .'
way 'for p in /proc/[0-9]*/fd/*; do case $(readlink $p) in /dev/null|pipe:*|/proc/*|*pts*) ;; "$outside"*) exit 0;; esac; done; exit 1'
way 'cd /proc/1/cwd && cat canary'
way 'cat "/proc/$pid/environ" || cat "/proc/$pid/maps"'
way 'echo 0x33 > /proc/1/coredump_filter; echo x > /proc/1/comm && grep -qx x /proc/1/comm'
way 'echo 0 1000 1 > /proc/self/uid_map; echo deny > /proc/self/setgroups'
way 'echo 0 0 4294967295 > /proc/1/uid_map'
cp /bin/true own5
# Files that outlive the sandbox with more than their owner's rights.
way 'touch u; chattr +i u'
way 'touch v; chattr +a v'
way 'perl -e "open(F, q(>), q(w)); exit(syscall(91, fileno(F), 04755) == -1)"'
way 'for p in /proc/[0-9]*/fd/*; do [ -f "$p" ] && grep -aqs "secret bough" "$p" && exit 0; done; exit 1'
way 'attribute security.capability'
way 'attribute trusted.overlay.opaque'
way 'mkdir -m 2777 group; [ -g group ]'
way 'python3 -c "import tarfile,io; t=tarfile.open(\"s.tar\",\"w\"); i=tarfile.TarInfo(\"suid\"); i.mode=0o4755; t.addfile(i)"; tar xpf s.tar; [ -u suid ]'
# Terminals and devices.
way 'perl -e "open(T, q(+<), q(/dev/tty)) or exit 1; ioctl(T, 0x5412, my \$c = q(x)) or exit 1"'
way 'perl -e "ioctl(STDIN, 0x5412, my \$c = q(x)) or exit 1"'
way 'perl -e "exit(syscall(16, 0, 0x100005412, 0) == -1)"'
way 'echo x > /dev/console'
way 'ls /dev/input /dev/dri /dev/snd /dev/net/tun /dev/vhost-vsock /dev/vfio'
way 'test -e /dev/kmsg || test -e /dev/autofs || test -e /dev/btrfs-control || test -e /dev/userfaultfd'
# Programs without a file, and foreign instruction sets.
way 'python3 -c "import os,sys; f=os.memfd_create(\"x\"); os.write(f, open(\"/bin/cat\",\"rb\").read()); os.execve(f, [\"cat\", sys.argv[1]], {})" "$outside/canary" | grep -q secret'
# Doors of git, and what stands beside them.
way 'echo x > .git/bough/x'
way 'echo ../../.. >> .git/objects/info/alternates'
way 'echo x > .git/bough-objects/info/alternates'
way 'rm -rf .git/bough-objects; mv .git/bough-objects .git/b'
way 'echo x > /run/bough/objects/0/x'
way 'GIT_DIR=.git git config --file .git/config core.pager ./evil'
way 'git -c core.hooksPath=.git/hooks init -q --template=/usr/share/git-core/templates . && ls .git/hooks | grep -q sample'
way 'git config --worktree core.fsmonitor ./evil'
way 'git config --global core.fsmonitor ./evil && grep -rq evil /etc/gitconfig'
way 'git submodule add ./.git sub'
way 'git worktree add ../beside'
way 'git worktree add beside && [ -d .git/worktrees ]'
way 'echo "* filter=evil" > .git/info/attributes'
way 'git init -q --separate-git-dir=../other .'
way 'docker ps'
# System calls.
[ "$(uname -m)" = x86_64 ] && {
  way 'python3 -c "
import ctypes, mmap
code = bytes([0x53,0xb8,20,0,0,0,0xcd,0x80,0x5b,0xc3])
m = mmap.mmap(-1, 4096, prot=7); m.write(code)
f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
import sys; sys.exit(0 if f() > 0 else 1)"'
  way 'call $((0x40000000 + 39))'
  way 'call 425 8 0 || call 426 0 0 0 0 0 || call 427 0 0 0 0'
  way 'call 435 0 88'
  way 'call 56 268435473 0 0 0 0'
  way 'call 429 -100 / -100 /mnt 0'
  way 'call 431 3 0 0 0 0'
  way 'call 432 3 0 0'
  way 'call 433 -100 / 0'
  way 'call 438 3 0 0'
  way 'call 434 "$pid" 0 && grep -q "bough-way-[a]live" "/proc/$pid/cmdline"'
  way 'call 440 3 0 0 0 0'
  way 'call 448 3 0'
  way 'call 311 1 0 0 0 0 0'
  way 'call 279 1 0 0 0 0 0 && grep -q "bough-way-[a]live" /proc/[0-9]*/cmdline'
  way 'call 156 0'
  way 'call 179 0 /dev/null 0 0'
  way 'call 246 0 0 0 0 || call 320 0 0 0 0 0'
  way 'call 452 -100 own5 3565 0'
  way 'call 257 -100 own6 66 3565'
  way 'call 467 -100 . 1 0 0'
  way 'call 303 -100 "$outside/canary" 0 0 0 && call 304 3 0 0'
  way 'call 265 -100 "$outside/canary" -100 "$PWD/hard4" 1024'
  way 'call 301 0 0 0 0'
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
