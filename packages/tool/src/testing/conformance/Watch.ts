/**
 * Observes what code does to the machine outside of its capabilities: files written, processes started, sockets opened.
 * It wraps Node's own functions during one run; effects inside a capability are not reported.
 */
import * as dgram from "node:dgram"
import * as fs from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"
import * as net from "node:net"

const require = createRequire(import.meta.url)

// oxlint-disable-next-line typescript/no-explicit-any -- Node's functions have every signature
type AnyFunction = (...args: any) => any
type Owner = Record<string, AnyFunction>

const fileNames = [
  "appendFile",
  "chmod",
  "chown",
  "copyFile",
  "cp",
  "link",
  "mkdir",
  "mkdtemp",
  "rename",
  "rm",
  "rmdir",
  "symlink",
  "truncate",
  "unlink",
  "utimes",
  "writeFile"
]

const processNames = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"]

interface Place {
  readonly owner: Owner
  readonly name: string
  readonly what: (args: ReadonlyArray<unknown>) => string | null
}

const opensToWrite = (flags: unknown): boolean =>
  typeof flags === "string"
    ? /[aw+]/u.test(flags)
    : typeof flags === "number" && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0

/** The modules as CommonJS exports them: changes of these objects are also visible through `import`. */
const places = (): ReadonlyArray<Place> => {
  const mutableFs = require("node:fs") as unknown as Owner & { readonly promises: Owner }
  const mutableProcess = require("node:child_process") as unknown as Owner
  const sockets: ReadonlyArray<readonly [object, string]> = [
    [net.Socket.prototype, "connect"],
    [net.Server.prototype, "listen"],
    [dgram.Socket.prototype, "bind"],
    [dgram.Socket.prototype, "send"]
  ]
  const file = (owner: Owner, name: string): Place => ({
    owner,
    name,
    what: ([target]) => `changed the file system (${name} ${String(target)})`
  })
  const open = (owner: Owner, name: string): Place => ({
    owner,
    name,
    what: ([target, flags]) => (opensToWrite(flags) ? `opened ${String(target)} to write` : null)
  })
  return [
    ...fileNames.flatMap((name) => [
      file(mutableFs, name),
      file(mutableFs, `${name}Sync`),
      file(mutableFs.promises, name)
    ]),
    open(mutableFs, "open"),
    open(mutableFs, "openSync"),
    open(mutableFs.promises, "open"),
    open(mutableFs, "createWriteStream"),
    ...processNames.map((name) => ({ owner: mutableProcess, name, what: () => `started a process (${name})` })),
    ...sockets.map(([owner, name]) => ({
      owner: owner as Owner,
      name,
      what: () => `opened a socket (${name})`
    }))
  ].filter(({ name, owner }) => typeof owner[name] === "function")
}

export interface Watch {
  /** The effects of the code itself, in order. */
  readonly seen: ReadonlyArray<string>
  /** Marks the beginning of a capability's work, which `leave` ends. */
  readonly enter: () => void
  readonly leave: () => void
  /** Restores Node's own functions. */
  readonly stop: () => void
}

/** Watches until `stop`. Only one watch may run at a time, since Node's functions are global to the process. */
export const start = (): Watch => {
  const seen: Array<string> = []
  let inside = 0
  const originals = places().map((place) => {
    const original = place.owner[place.name]
    const replacement = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      const what = inside === 0 ? place.what(args) : null
      if (what !== null) seen.push(what)
      return Reflect.apply(original, this, args)
    }
    place.owner[place.name] = Object.assign(replacement, original)
    return { ...place, original }
  })
  syncBuiltinESMExports()
  return {
    seen,
    enter: () => void (inside += 1),
    leave: () => void (inside -= 1),
    stop: () => {
      for (const { name, original, owner } of originals) owner[name] = original
      syncBuiltinESMExports()
    }
  }
}

/** The kinds of this process's open handles, with their numbers. */
export const handles = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (fs.existsSync("/proc/self/fd")) counts.set("file descriptor", fs.readdirSync("/proc/self/fd").length)
  return counts
}
