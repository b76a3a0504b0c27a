# Tries further ways out of the sandbox: descriptors, memory of other processes, races, objects of the kernel that outlive
# a process, and files that programs of the user read later. Prints the ways that lead out and the number of tried ways.
# $1: a directory outside with `canary`; $2: a port of the machine; $3: a process of the machine; $4: its abstract socket.
outside=$1 port=$2 pid=$3 abstract=$4
tried=0
# Waits five seconds for a way that the kernel may let wait.
watch() {
  local i=0
  while kill -0 "$1" 2>/dev/null; do
    [ $((i += 1)) -gt 60 ] && kill -9 "$1" 2>/dev/null && echo "HUNG $tried" >&2
    sleep 0.05
  done
  wait "$1"
}
way() {
  tried=$((tried + 1))
  if (eval "$1") >/dev/null 2>&1 </dev/null & watch $!; then echo "OUT $tried $1"; fi
}
python() { python3 -c "import ctypes,ctypes.util,os,socket,struct,sys; libc=ctypes.CDLL(None,use_errno=True); $1" "$2" "$3"; }

# Descriptors and directories of processes.
way 'for p in /proc/[0-9]*/fd/*; do [ -d "$p" ] && grep -q secret "$p/$outside/canary" "$p/../canary" "$p/canary" && exit 0; done; exit 1'
way 'for p in /proc/[0-9]*/fdinfo/*; do grep -Eq "^(inotify|eventpoll|tfd|io_uring|fanotify)" "$p" && exit 0; done; exit 1'
way 'python "f=[os.readlink(\"/proc/self/fd/\"+n) for n in os.listdir(\"/proc/self/fd\") if int(n)>2 and os.path.exists(\"/proc/self/fd/\"+n)]; sys.exit(0 if [p for p in f if not p.startswith(\"/proc/\")] else 1)"'
way 'for m in /proc/[0-9]*/map_files/*; do case $(readlink "$m") in "$outside"*|/root/*|/home/*) exit 0;; esac; done; exit 1'
way 'for p in /proc/[0-9]*/exe; do case $(readlink "$p") in "$outside"*|/root/*|*/node) exit 0;; esac; done; exit 1'
way 'exec 9</proc/1/root && grep -q secret "/proc/self/fd/9$outside/canary"'
way 'cd /proc/1/root/../.. && grep -q secret ".$outside/canary"'
way 'python "f=os.open(\"/\",os.O_PATH); g=os.open(\"../../../..\"+sys.argv[1]+\"/canary\",os.O_RDONLY,dir_fd=f); os.read(g,6)==b\"secret\" or sys.exit(1)" "$outside"'
way 'cat /proc/1/task/1/environ /proc/2/environ | tr "\0" "\n" | grep -q "^API_KEY"'
way 'cat /proc/timer_list /proc/slabinfo /proc/vmallocinfo /proc/kpageflags /proc/kmsg | head -c 1 | grep -q .'
way 'head -n 5 /proc/kallsyms | grep -q "^[0-9a-f]*[1-9a-f]"'
way 'cat /proc/keys /proc/key-users | grep -q .'
way 'ls /sys/kernel/debug/ /sys/kernel/tracing/ /sys/firmware/efi/efivars | grep -q .'
way 'ls /sys/fs/bpf /sys/kernel/security /sys/fs/fuse/connections /sys/fs/selinux | grep -q "[a-z0-9]\{3\}\$"'
way 'cat /sys/class/dmi/id/product_uuid /sys/class/dmi/id/product_serial'
way 'echo 1 > /sys/block/*/uevent || echo add > /sys/class/net/lo/uevent'
# Memory and execution.
way 'python "f=os.memfd_create(\"x\"); os.write(f,open(\"/usr/bin/id\",\"rb\").read()); p=os.posix_spawn(\"/proc/self/fd/%d\"%f,[\"id\",\"-u\"],{}) ; s=os.waitpid(p,0)[1]; sys.exit(0 if os.getuid()==0 else 1)"'
way 'python "r=libc.process_vm_readv(int(sys.argv[1]),0,0,0,0,0); sys.exit(0 if r>=0 and open(\"/proc/%s/cmdline\"%sys.argv[1]).read().find(\"bough-way-\"+\"alive\")>=0 else 1)" "$pid"'
way 'python "r=libc.ptrace(16,1,0,0); sys.exit(r)"'
way 'python "r=libc.ptrace(0x4206,1,0,0); sys.exit(r)"'
way 'python "libc.prctl(0x59616d61,-1,0,0,0); sys.exit(0 if libc.process_vm_writev(1,0,0,0,0,0)>=0 else 1)"'
way 'python "r=libc.prctl(38,0,0,0,0); sys.exit(r)"'
way 'python "r=libc.prctl(24,0,0,0,0); libc.setuid(0); sys.exit(os.getuid())"'
way 'python "r=libc.prctl(47,2,12,0,0); sys.exit(r)"'
way 'python "r=libc.personality(0x0040000); f=open(\"/proc/self/personality\").read(); sys.exit(0 if os.getuid()==0 else 1)"'
way 'python "libc.syscall(157,22,0)==0 and os.getuid()==0 or sys.exit(1)"'
way 'python "f=libc.syscall(319,b\"x\",0); libc.syscall(322,f,b\"\",0,0,0x1000); sys.exit(1)"'
way 'python "sys.exit(0 if libc.syscall(425,8,(ctypes.c_char*256)())>=0 else 1)"'
way 'python "sys.exit(0 if libc.syscall(323,0x80001)>=0 else 1)"'
way 'python "sys.exit(0 if libc.syscall(447,0)>=0 and os.getuid()==0 else 1)"'
way 'python "sys.exit(0 if libc.unshare(0x10000000)==0 and libc.unshare(0x20000)==0 else 1)"'
way 'python "a=(ctypes.c_uint64*11)(); a[0]=0x10000000; a[4]=17; r=libc.syscall(435,a,88); r==0 and os._exit(0); sys.exit(0 if r>0 else 1)"'
way 'python "r=libc.syscall(56,0x10000000|17,0,0,0,0); r==0 and os._exit(0); sys.exit(0 if r>0 else 1)"'
way 'python "r=libc.setns(os.open(\"/proc/1/ns/user\",0),0); sys.exit(0 if r==0 else 1)"'
way 'python "r=libc.setns(os.open(\"/proc/1/ns/net\",0),0); sys.exit(0 if r==0 else 1)"'
way 'python "import fcntl; fcntl.ioctl(os.open(\"/proc/self/ns/user\",0),0xb701); sys.exit(0)"'
way 'python "f=libc.syscall(434,1,0); g=libc.syscall(438,f,0,0); sys.exit(0 if g>=0 else 1)"'
way 'python "sys.exit(0 if libc.syscall(250,6,-3,0)>=0 or libc.syscall(249,b\"user\",b\"x\",0,-4)>=0 else 1)"'
way 'keyctl show || keyctl add user a b @u || keyctl session'
way 'python "sys.exit(0 if libc.syscall(303,-100,sys.argv[1].encode(),(ctypes.c_char*136)(b\"\\x80\"),(ctypes.c_int*1)(),0)==0 else 1)" "$outside/canary"'
way 'python "r=libc.syscall(237,0,0,0,0,0); sys.exit(0 if r==0 and os.getuid()==0 else 1)"'
# Memory and queues that are shared with other processes.
way 'for i in $(ipcs -m 2>/dev/null | awk "/^0x/ {print \$2}"); do exit 0; done; exit 1'
way 'ipcmk -M 64 && ipcs -m -i 0 | grep -q "uid=0[^0-9]"'
way 'ls /dev/shm | grep -q .'
way 'ls /dev/mqueue | grep -q . || cat /proc/sys/fs/mqueue/* | grep -q "[a-z]"'
way 'python "s=socket.socket(1,1); s.connect(b\"\\0\"+sys.argv[1].encode())" "$abstract"'
way 'python "s=socket.socket(1,2); s.connect(b\"\\0\"+sys.argv[1].encode())" "$abstract"'
way 'python "s=socket.socket(1,5); s.connect(b\"\\0\"+sys.argv[1].encode())" "$abstract"'
way 'cat /proc/net/unix | grep -q "@bough-way"'
way 'cat /proc/net/tcp /proc/net/tcp6 | grep -qi ":$(printf %04X "$port") "'
way 'python "[socket.socket(1,1).connect(p) for p in (\"/run/dbus/system_bus_socket\",)]"'
way 'dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames'
way 'busctl list || loginctl || systemctl is-system-running | grep -q running'
way 'python "s=socket.socket(40,1,0); s.connect((2,22))"'
way 'python "s=socket.socket(38,5,0); s.bind((\"hash\",\"sha256\"))"'
way 'python "s=socket.socket(16,3,0); s.bind((0,0)); s.send(struct.pack(\"IHHII\",32,20,0x301,1,0)+b\"\\0\"*16); d=s.recv(65536); sys.exit(0 if d.count(b\"eth0\")+d.count(b\"ens\")+d.count(b\"enp\") else 1)"'
# Names that lead elsewhere.
way 'ln "$outside/canary" hard || ln /etc/passwd hard || ln /proc/self/exe hard'
way 'python "os.link(\"/proc/self/fd/%d\"%os.open(\"/etc/passwd\",0),\"hard\",follow_symlinks=True)"'
way 'python "f=os.open(\".\",0o20000000|2,0o600); sys.exit(libc.linkat(f,b\"\",-100,b\"../linked\",0x1000))"'
way 'python "sys.exit(libc.syscall(316,-100,b\".git/config\",-100,b\"other\",2))"'
way 'python "sys.exit(libc.syscall(316,-100,b\"AGENTS.md\",-100,b\"deep/other\",0))"'
way 'python "sys.exit(libc.syscall(437,-100,(sys.argv[1]+\"/canary\").encode(),(ctypes.c_uint64*3)(0,0,0),24)<0)" "$outside"'
way 'cp --reflink=always .git/config copy; echo evil >> .git/config'
way 'truncate -s 0 .git/config || truncate -s 0 AGENTS.md || fallocate -p -o 0 -l 4 AGENTS.md'
way 'python "import mmap; f=os.open(\"AGENTS.md\",os.O_RDWR); mmap.mmap(f,0)"'
way 'touch -d 2001-01-01 AGENTS.md && [ "$(stat -c %Y AGENTS.md)" -lt 1000000000 ]'
way 'chmod 777 AGENTS.md .git/config; [ "$(stat -c %a .git/config)" = 777 ]'
way 'setfattr -n user.x -v y AGENTS.md || setfacl -m u:1:rwx AGENTS.md'
way 'i=0; while [ $i -lt 200 ]; do ln -sfn "$outside" racing; ln -sfn deep racing; grep -qs secret racing/canary && exit 0; i=$((i+1)); done; exit 1'
way 'mkdir sw; i=0; while [ $i -lt 100 ]; do mv .git/hooks sw/h; mkdir .git/hooks; echo x > .git/hooks/post-checkout && exit 0; i=$((i+1)); done; exit 1'
way 'echo evil > "$(printf ".git/config\n")" && grep -q evil .git/config'
way 'echo evil > .git/./config || echo evil > deep/../.git/config || echo evil > "$PWD/.git//config"'
way 'ln -s .git alias; echo evil >> alias/config'
way 'ln -s .git/config near; sed -i --follow-symlinks 1i\;x near && head -n 1 .git/config | grep -q x'
# Terminals.
way 'python "import pty; m,s=pty.openpty(); print(os.ttyname(s))" && ls /dev/pts | grep -v ptmx | grep -qx 0 && echo x > /dev/pts/0'
way 'for t in /dev/pts/[0-9]* /dev/tty[0-9]*; do echo x > "$t" && exit 0; done; exit 1'
way 'python "import fcntl; fcntl.ioctl(0,0x541C,b\"\\x02\"+b\"\\0\"*15)"'
way 'setsid -c sh -c "exec < /dev/tty"'
# Environment and programs that act for others.
way 'env | grep -Eqi "^(BOUGH|ANTHROPIC|OPENAI|AWS|GITHUB|NPM)[A-Z_]*(TOKEN|KEY|SECRET)="'
way 'command -v sudo pkexec su doas | while read p; do [ -u "$p" ] && "$p" -n true && exit 7; done; [ $? = 7 ]'
way 'find / -xdev -perm -4000 -type f 2>/dev/null | head -20 | while read p; do "$p" --version && [ "$(id -u)" = 0 ] && exit 7; done; [ $? = 7 ]'
way 'newuidmap $$ 0 0 1 || newgidmap $$ 0 0 1'
way 'newgrp root || sg root id'
way 'getcap -r /usr 2>/dev/null | grep -q = && ping -c 1 -W 1 "$(hostname -i)"'
way 'crontab -l || atq | grep -q . || ls /var/spool/cron/crontabs'
way 'mkdir -p ~/.config/systemd/user ~/.config/autostart && [ "$HOME" != /nonexistent ] && [ -e "$outside/../.config" ]'
way 'echo evil > /var/tmp/bough-way-out && [ -e "/proc/1/root/../var/tmp/x" ]'
echo "TRIED $tried"
