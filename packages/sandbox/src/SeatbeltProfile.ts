/**
 * The parts of the machine that a command sees on macOS, as data, and the profile of `sandbox-exec` that grants access
 * to exactly these parts. The last matching rule of a profile decides.
 */

/** Paths are absolute and without links; each also covers everything below it. */
export interface Specification {
  /** The system and tools, which are readable. */
  readonly readable: ReadonlyArray<string>
  /** The workspace and further directories; a parent comes before its subdirectories. */
  readonly roots: ReadonlyArray<{ readonly path: string; readonly writable: boolean }>
  /** Entries that are protected, whether they exist or not. */
  readonly closed: ReadonlyArray<string>
  /** Directories of git objects: a command may add files there, but not change or remove any. */
  readonly growing: ReadonlyArray<string>
  /** Entries that are protected and also unreadable. */
  readonly hidden: ReadonlyArray<string>
  /** The command's own directory, with its home. */
  readonly temporary: string
  /** The port of the command's proxy on this machine's loopback; null: it has no network. */
  readonly proxyPort: number | null
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/gu, (found) => `\\${found}`)}"`

const subpath = (path: string): string => `(subpath ${quoted(path)})`
const literal = (path: string): string => `(literal ${quoted(path)})`

const rule = (action: "allow" | "deny", operations: string, filters: ReadonlyArray<string>): ReadonlyArray<string> =>
  filters.length === 0 ? [] : [`(${action} ${operations} ${filters.join(" ")})`]

/** Devices that programs use, without those that a terminal needs. */
const devices = ["null", "zero", "random", "urandom", "dtracehelper", "fd", "stdin", "stdout", "stderr"]

/** Returns the directories on the way to `path`, the outermost first, without `path` itself. */
export const above = (path: string): ReadonlyArray<string> => {
  const names = path.split("/").slice(1, -1)
  return ["/", ...names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`)]
}

const isBelow = (path: string, directory: string): boolean => path.startsWith(`${directory}/`)

const isWritable = ({ roots }: Specification, path: string): boolean =>
  roots.findLast((root) => path === root.path || isBelow(path, root.path))?.writable === true

/**
 * The parent directories of paths with their own rules: if a parent could be moved, the path would escape its rules.
 */
const leading = ({ closed, growing, hidden, roots }: Specification): ReadonlyArray<string> => [
  ...new Set(
    [...closed, ...growing, ...hidden].flatMap((path) =>
      above(path).filter((directory) => roots.some((root) => isBelow(directory, root.path)))
    )
  )
]

/**
 * Temporary names of git below a directory of objects. A regular expression in a profile cannot contain a quote, so no
 * objects can be added below a directory with a quote in its name.
 */
const temporaryObjects = (directory: string): ReadonlyArray<string> =>
  /^[\w/. -]+$/u.test(directory)
    ? [`(regex #"^${directory.replaceAll(".", "[.]")}/([0-9a-f][0-9a-f]/|pack/)?[.]?tmp_[^/]*$")`]
    : []

/**
 * A pattern for a path and everything below it in any spelling: the disks of most Macs equate capitals with small
 * letters, but a rule compares the name of a new entry as it is written.
 */
const anySpelling = (path: string): string => `(regex #"^${Array.from(path, spelledAnyhow).join("")}(/|$)")`

/** A pattern for one character; others than ASCII have several spellings of different lengths. */
const spelledAnyhow = (character: string): string => {
  if (/^[a-zA-Z]$/u.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`
  if (/^[\d/_-]$/u.test(character)) return character
  return character === "." ? "[.]" : character.charCodeAt(0) < 128 ? "[^/]" : "[^/]+"
}

/**
 * The names that every program looks up. More names would allow a command to use the services of other programs; the
 * one that checks certificates (`trustd`) sends requests to addresses that a certificate names.
 */
const services = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.system.logger",
  "com.apple.system.notification_center"
]

/** The values of the kernel that list other processes, their arguments and their environments. */
const processValues = ["kern.procargs", ...["all", "uid", "ruid", "tty"].map((name) => `kern.proc.${name}`)]

/** Shared memory of the system's notifications, and that of Python's own processes. */
const sharedMemory = [
  '(allow ipc-posix-shm-read* (ipc-posix-name "apple.shm.notification_center"))',
  '(allow ipc-posix-shm* (ipc-posix-name-prefix "/psm_") (ipc-posix-name-prefix "/mp-"))'
]

/** Links of the system to `/private`. */
const links = ["/etc", "/tmp", "/var"]

export const profile = (specification: Specification): string => {
  const { closed, growing, hidden, proxyPort, readable, roots, temporary } = specification
  const seen = [...readable, ...roots.map(({ path }) => path), temporary]
  return `${[
    "(version 1)",
    "(deny default)",
    "(allow process-fork)",
    ...rule("allow", "process-exec*", seen.map(subpath)),
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    `(deny sysctl-read ${processValues.map((name) => `(sysctl-name-prefix ${quoted(name)})`).join(" ")})`,
    "(allow ipc-posix-sem)",
    ...sharedMemory,
    `(allow mach-lookup ${services.map((name) => `(global-name ${quoted(name)})`).join(" ")})`,
    // Directories on the way can be traversed but not listed.
    ...rule("allow", "file-read-metadata", [...new Set([...seen.flatMap(above), ...links])].map(literal)),
    ...rule("allow", "file-read*", [...readable.map(subpath), literal("/")]),
    ...rule(
      "allow",
      "file-read* file-write-data file-ioctl",
      devices.map((name) => literal(`/dev/${name}`))
    ),
    ...roots.flatMap(({ path, writable }) => [
      ...rule("allow", "file-read*", [subpath(path)]),
      ...rule(writable ? "allow" : "deny", "file-write*", [subpath(path)])
    ]),
    ...rule("allow", "file-read* file-write*", [subpath(temporary)]),
    ...growing.flatMap((path) => [
      ...rule("deny", "file-write*", [subpath(path)]),
      ...(isWritable(specification, path)
        ? [
            ...rule("allow", "file-write-create", [subpath(path)]),
            ...rule("allow", "file-write*", temporaryObjects(path))
          ]
        : [])
    ]),
    // Neither a root nor the parent directories of paths with their own rules may be moved.
    ...rule(
      "deny",
      "file-write-unlink",
      [...roots.map(({ path }) => path), ...growing, ...leading(specification)].map(literal)
    ),
    ...rule("deny", "file-write*", [...closed.map(subpath), ...closed.map(anySpelling)]),
    ...rule("deny", "file*", [...hidden.map(subpath), ...hidden.map(anySpelling)]),
    // Such files would have an effect outside of the sandbox.
    "(deny file-write-setugid)",
    "(deny network*)",
    ...(proxyPort === null ? [] : [`(allow network-outbound (remote tcp "localhost:${proxyPort}"))`])
  ].join("\n")}\n`
}

/** Decides an access by the specification alone; tests compare the profile with this decision. */
export const allows = (specification: Specification, operation: "read" | "write", path: string): boolean => {
  const { closed, growing, hidden, readable, roots, temporary } = specification
  const isIn = (directory: string): boolean => path === directory || isBelow(path, directory)
  const isInAnySpelling = (directory: string): boolean => {
    const [folded, above] = [path.toLowerCase(), directory.toLowerCase()]
    return folded === above || isBelow(folded, above)
  }
  if (hidden.some(isInAnySpelling)) return false
  if (operation === "read") {
    return path === "/" || [...readable, ...roots.map((root) => root.path), temporary].some(isIn)
  }
  if (closed.some(isInAnySpelling) || growing.some(isIn)) return false
  return isIn(temporary) || isWritable(specification, path)
}
