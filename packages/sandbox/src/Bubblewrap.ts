/** The view of a sandboxed command as data, and the arguments of `bwrap` that build it from an empty root. */
import { dirname } from "node:path"
import { home } from "./Environment.ts"
import * as GitSettings from "./GitSettings.ts"
import { channelDescriptor } from "./internal/ChildProcess.ts"
import * as CommandWords from "./internal/CommandWords.ts"
import type { Mount } from "./internal/GitDirectory.ts"
import * as ShellProgram from "./internal/ShellProgram.ts"
import { shellScript } from "./Limits.ts"
import type { Machine } from "./Machine.ts"
import { contains } from "./Toolchains.ts"

/** The parts of the machine that one session may see. */
export interface View {
  /** The workspace and further directories; a parent comes before its subdirectories. */
  readonly roots: ReadonlyArray<Mount>
  /** Entries that are mounted separately, so that they cannot be moved; a parent comes before its subdirectories. */
  readonly mounts: ReadonlyArray<Mount>
  /** Entries of the workspace that must not be created; while the command runs, an empty directory is at their path. */
  readonly absent: ReadonlyArray<string>
  /** Directories below the workspace that appear empty. */
  readonly hidden: ReadonlyArray<string>
  /** Entries of the workspace whose parent directories cannot be moved. */
  readonly pinned: ReadonlyArray<string>
  /** Directories below the workspace that appear empty, even after they were moved. */
  readonly emptied: ReadonlyArray<string>
  /** Files that are shown with the content of the descriptors from `replacementDescriptor` on. */
  readonly replaced: ReadonlyArray<string>
  /** Paths that are shown read-only. */
  readonly shown: ReadonlyArray<string>
  /** True if a port on loopback leads to the proxy. */
  readonly proxied: boolean
  /** True if Bough's connector program provides sockets of the sandbox. */
  readonly connected: boolean
  /** The directory through which a session's shell gets its commands; null: the sandbox is for a single command. */
  readonly shell: string | null
}

/** The properties of a running sandbox that differ between machines. */
export interface SandboxTraits {
  /** True if a filter program is at `filterDescriptor`. */
  readonly filtered: boolean
  /** Inherited descriptors, which are replaced by /dev/null. */
  readonly plugged: ReadonlyArray<number>
}

/** The descriptors that the arguments name; the caller opens them. bwrap reports on 3, and the command waits on 4. */
const statusDescriptor = 3
export const gateDescriptor = 4
export const firstFileDescriptor = channelDescriptor + 1

/** Files made for the sandbox, by their path in it, in the order of their descriptors. */
export const files: ReadonlyArray<readonly [path: string, content: string | ((machine: Machine) => string)]> = [
  ["/etc/passwd", `bough:x:1000:1000::${home}:/bin/sh\nnobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n`],
  ["/etc/group", "bough:x:1000:\nnogroup:x:65534:\n"],
  ["/etc/hosts", "127.0.0.1 localhost bough\n::1 localhost\n"],
  ["/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"],
  ["/etc/gitconfig", ({ gitSettings }) => GitSettings.format(gitSettings)]
]
/** The descriptor of the program of `ListenerProgram`; below, its path inside the sandbox. */
const listenerDescriptor = firstFileDescriptor + files.length
const listener = "/run/bough/listen"
/** The descriptor of the program of `ConnectorProgram`. */
const connectorDescriptor = listenerDescriptor + 1
const connector = "/run/bough/connect"
export const filterDescriptor = connectorDescriptor + 1

/** Returns the contents of those files on this machine, in the same order. */
export const contents = (machine: Machine): ReadonlyArray<string> =>
  files.map(([, content]) => (typeof content === "string" ? content : content(machine)))

/** The first descriptor of the contents of replaced files. */
export const replacementDescriptor = ({ plugged }: SandboxTraits): number => Math.max(filterDescriptor, ...plugged) + 1

/**
 * The parts of /etc that are shown in addition to the time zone: the linker's settings, fonts, certificates. None of
 * them contains names of users or keys. The list is short because each entry costs time.
 */
const configuration = [
  "alternatives ld.so.cache fonts",
  "ssl/certs ssl/cert.pem ssl/openssl.cnf pki/ca-trust pki/tls crypto-policies"
].flatMap((line) => line.split(" "))

/** The arguments before the command. */
export const args = (machine: Machine, view: View, hold: SandboxTraits): ReadonlyArray<string> =>
  [
    namespaces,
    machine.disablesNamespaces ? ["--disable-userns"] : [],
    ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--json-status-fd", `${statusDescriptor}`],
    hold.filtered ? ["--seccomp", `${filterDescriptor}`] : [],
    system(machine, hold),
    // If root owns the workspace, a command has root's access to kernel settings below /proc that require no
    // capability.
    ["--proc", "/proc", ...machine.kernelFiles.flatMap(unreadable), "--remount-ro", "/proc"],
    ["--dev", "/dev", ...temporary(machine, "/dev/shm"), "--remount-ro", "/dev"],
    [...temporary(machine, "/tmp"), "--dir", home, "--dir", "/var"],
    hasPlaceBelow(longTemporary, view) ? temporary(machine, longTemporary) : ["--symlink", "/tmp", longTemporary],
    view.shown.flatMap((path) => ["--ro-bind-try", path, path]),
    view.roots.flatMap(bind),
    leading(view).flatMap(bind),
    view.mounts.flatMap(bind),
    [...view.absent, ...view.hidden, ...view.emptied].flatMap((path) => ["--tmpfs", path, "--remount-ro", path]),
    view.replaced.flatMap((path, at) => ["--ro-bind-data", `${replacementDescriptor(hold) + at}`, path]),
    view.proxied ? program(listenerDescriptor, listener) : [],
    view.connected ? program(connectorDescriptor, connector) : [],
    view.proxied || view.connected ? withoutChannel : [],
    view.shell === null ? [] : ["--ro-bind", view.shell, ShellProgram.insidePath],
    ["--remount-ro", "/"]
  ].flat()

/** A device is refused in a mount of bubblewrap that is not made for devices. */
const unreadable = (path: string): ReadonlyArray<string> => ["--ro-bind", "/dev/null", path]

/** The directory for temporary files that survive a reboot. It is the private /tmp, unless it contains a root. */
const longTemporary = "/var/tmp"

const hasPlaceBelow = (directory: string, { roots, shown }: View): boolean =>
  [...roots.map(({ path }) => path), ...shown].some((path) => contains(directory, path))

const program = (descriptor: number, path: string): ReadonlyArray<string> =>
  `--perms 0555 --file ${descriptor} ${path}`.split(" ")

/** Removes the variables of Node's own channel, which the command must not use. */
const withoutChannel = "--unsetenv NODE_CHANNEL_FD --unsetenv NODE_CHANNEL_SERIALIZATION_MODE".split(" ")

const bind = ({ path, source = path, writable }: Mount): ReadonlyArray<string> => [
  writable ? "--bind" : "--ro-bind",
  source,
  path
]

/** Mounts the directories between a root and its hidden paths, so that they cannot be moved away and replaced. */
const leading = ({ pinned, roots }: View): ReadonlyArray<Mount> =>
  roots.flatMap(({ path: root, writable }) => {
    const above = pinned.filter((path) => contains(root, path)).flatMap((path) => between(root, path))
    return [...new Set(above)].map((path) => ({ path, writable }))
  })

/** The directories below `above` on the way to `path`, the outermost first. */
const between = (above: string, path: string): ReadonlyArray<string> => {
  const directory = dirname(path)
  return directory === above || directory === path ? [] : [...between(above, directory), directory]
}

const namespaces = [
  "--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try",
  "--uid 1000 --gid 1000 --hostname bough"
].flatMap((line) => line.split(" "))

const system = ({ root, timeZone }: Machine, { plugged }: SandboxTraits): ReadonlyArray<string> => [
  ...root.flatMap(({ path, target }) => (target === null ? ["--ro-bind", path, path] : ["--symlink", target, path])),
  ...configuration.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
  ...files.flatMap(([path], at) => ["--file", `${firstFileDescriptor + at}`, path]),
  ...plugged.flatMap((descriptor) => ["--file", `${descriptor}`, "/etc/subuid"]),
  ...(timeZone === null ? [] : ["--symlink", timeZone, "/etc/localtime"]),
  "--symlink",
  "/usr/lib/os-release",
  "/etc/os-release"
]

const temporary = ({ limits: { temporaryBytes }, sizesTemporary }: Machine, path: string): ReadonlyArray<string> => [
  ...(temporaryBytes === null || !sizesTemporary ? [] : ["--size", `${temporaryBytes}`]),
  "--tmpfs",
  path
]

/**
 * Makes the program that runs inside: a shell that reports its start, waits to be admitted, sets the limits and becomes
 * the command. If its owner has ended, the command never starts. The shell of a session keeps the gate open, because
 * its commands arrive through the gate.
 */
export const gateCommand = (
  { limits }: Machine,
  argv: ReadonlyArray<string>,
  { connected, keepsGate = false, proxied }: Pick<View, "connected" | "proxied"> & { readonly keepsGate?: boolean }
): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  `${connected ? `${connector} ${gateDescriptor}>&- </dev/null >/dev/null 2>&1; ` : ""}echo >&${gateDescriptor} && read -r _ <&${gateDescriptor} || exit; ${keepsGate ? "" : `exec ${gateDescriptor}>&-; `}` +
    `${proxied ? `${listener}; ` : ""}${proxied || connected ? `exec ${channelDescriptor}>&-; ` : ""}${shellScript(limits)}`,
  "sh",
  ...argv
]

/** The line that admits the command. */
export const go = "go\n"

/**
 * The shell program for a prepared sandbox: the words of its command arrive through the gate, before that line. The
 * port to the proxy is opened in advance, while the model thinks; connections are refused until the command has
 * arrived.
 */
export const waitingCommand = ({ limits }: Machine, { proxied }: Pick<View, "proxied">): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  `echo >&${gateDescriptor} || exit; ${proxied ? `${listener}; exec ${channelDescriptor}>&-; ` : ""}` +
    `${CommandWords.readFrom(gateDescriptor, go.trimEnd())}; echo >&${gateDescriptor} || exit; exec ${gateDescriptor}>&-; ${shellScript(limits)}`,
  "sh"
]
