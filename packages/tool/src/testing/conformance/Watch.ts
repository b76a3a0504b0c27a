/**
 * Observes what code does to the machine outside of its capabilities: files written, processes and threads started,
 * sockets opened, names looked up, the state of this process changed. It wraps Node's own functions during one run;
 * effects inside a capability are not reported.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { ChildProcess } from "node:child_process"
import * as dgram from "node:dgram"
import type * as dns from "node:dns"
import * as fs from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"
import * as net from "node:net"
import * as HandlerOrigin from "../../HandlerOrigin.ts"
import * as ProcessState from "./ProcessState.ts"

const require = createRequire(import.meta.url)

// oxlint-disable-next-line typescript/no-explicit-any -- Node's functions have every signature
type AnyFunction = (...args: any) => any

const fileNames = [
  "appendFile",
  "chmod",
  "chown",
  "copyFile",
  "cp",
  "lchmod",
  "lchown",
  "link",
  "lutimes",
  "mkdir",
  "mkdtemp",
  "mkdtempDisposable",
  "rename",
  "rm",
  "rmdir",
  "symlink",
  "truncate",
  "unlink",
  "utimes",
  "writeFile"
]

/** Methods of open files, because a file that was opened before the run can be changed during it. */
const descriptorNames = ["fchmod", "fchown", "ftruncate", "futimes", "write", "writev"]

const lookupNames = [
  "lookup",
  "lookupService",
  "resolve",
  "resolve4",
  "resolve6",
  "resolveAny",
  "resolveTxt",
  "reverse"
]

/** Methods of `console` that print to stdout; a test runner may have replaced them by its own. */
const printingNames = ["log", "info", "debug", "dir", "dirxml", "table", "count", "group"]

const processNames = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"]

/**
 * The processes that capabilities have started, by number. A capability may end the group of such a process when it
 * hears of its end, which is outside of any fiber, and may be after its own work.
 */
const ofCapabilities = new Set<number>()

/**
 * True if other code of this process may signal that process: it is a child of this process, such as a helper that ends
 * when it was idle for a while. A tool knows a child only if it started it, which is reported. Without procfs, only the
 * processes of capabilities are known.
 */
const isOfOthers = (id: number): boolean => ofCapabilities.has(id) || parentOf(id) === process.pid

/** Returns the parent of a process; null: it is not known, or there is no such process. */
const parentOf = (id: number): number | null => {
  const status = Result.try(() => fs.readFileSync(`/proc/${id}/stat`, "utf8"))
  if (Result.isFailure(status)) return null
  // The second field is the name in parentheses, which may contain spaces and parentheses.
  const [, parent] = status.success.slice(status.success.lastIndexOf(")") + 2).split(" ")
  return Number(parent)
}

/** A function of Node that is observed while it is replaced. */
interface ObservedFunction {
  readonly owner: object
  readonly name: string
  /** Describes the effect of a call; null: the call changes nothing. */
  readonly effectOf: (args: ReadonlyArray<unknown>, self: unknown) => string | null
  /** True for a function that prints to stdout, which other code of this process may do at any time. */
  readonly prints?: true
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === "function"

/** The CommonJS exports of `fs`; changes of this object are also visible through `import`. */
const mutableFs = require("node:fs") as typeof fs

const opensToWrite = (flags: unknown): boolean =>
  typeof flags === "string"
    ? /[aw+]/u.test(flags)
    : typeof flags === "number" && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0

const readsOnly = /^\s*(?:select|explain)\b/iu

/**
 * The prototype of Node's databases, if their module is already loaded: older versions of Node print a warning when it
 * is loaded. The constructor itself cannot be replaced for modules that import it by name.
 */
const databases = (): ReadonlyArray<object> => {
  const loaded: unknown = Reflect.get(process, "moduleLoadList")
  if (!Array.isArray(loaded) || !loaded.some((name) => String(name).endsWith(" sqlite"))) return []
  const { DatabaseSync } = require("node:sqlite") as { readonly DatabaseSync: { readonly prototype: object } }
  return [DatabaseSync.prototype]
}

const observedFunctions = (): ReadonlyArray<ObservedFunction> => {
  const sockets: ReadonlyArray<readonly [object, string]> = [
    [net.Socket.prototype, "connect"],
    [net.Server.prototype, "listen"],
    [dgram.Socket.prototype, "bind"],
    [dgram.Socket.prototype, "send"]
  ]
  const file = (owner: object, name: string): ObservedFunction => ({
    owner,
    name,
    effectOf: ([target]) => `changed the file system (${name} ${String(target)})`
  })
  const open = (owner: object, name: string): ObservedFunction => ({
    owner,
    name,
    effectOf: ([target, flags]) => (opensToWrite(flags) ? `opened ${String(target)} to write` : null)
  })
  const descriptor = (name: string): ObservedFunction => ({
    owner: mutableFs,
    name,
    effectOf: ([target]) => `changed an open file (${name} ${String(target)})`
  })
  const thread: ObservedFunction = {
    owner: require("node:worker_threads"),
    name: "Worker",
    effectOf: () => "started a thread, in which nothing is observed"
  }
  const statement = (owner: object, name: string): ObservedFunction => ({
    owner,
    name,
    effectOf: ([text], self) => {
      const location = (self as { readonly location?: () => string | null }).location?.() ?? null
      return location === null || readsOnly.test(String(text)) ? null : `changed the database ${location}`
    }
  })
  const signal: ObservedFunction = {
    owner: process,
    name: "kill",
    // The signal 0 only tests whether a process exists.
    effectOf: ([id, name]) =>
      name === 0 || isOfOthers(Math.abs(Number(id))) ? null : `sent a signal to the process ${String(id)}`
  }
  const printing = (owner: object, name: string): ObservedFunction => ({
    owner,
    name,
    effectOf: () => null,
    prints: true
  })
  const mutableDns = require("node:dns") as typeof dns
  return [
    ...descriptorNames.flatMap((name) => [descriptor(name), descriptor(`${name}Sync`)]),
    ...[mutableDns, mutableDns.promises].flatMap((owner) =>
      lookupNames.map((name) => ({
        owner,
        name,
        effectOf: ([host]: ReadonlyArray<unknown>) => `looked up ${String(host)}`
      }))
    ),
    thread,
    printing(process.stdout, "write"),
    ...printingNames.map((name) => printing(console, name)),
    ...databases().flatMap((owner) => [statement(owner, "exec"), statement(owner, "prepare")]),
    signal,
    ...fileNames.flatMap((name) => [
      file(mutableFs, name),
      file(mutableFs, `${name}Sync`),
      file(mutableFs.promises, name)
    ]),
    open(mutableFs, "open"),
    open(mutableFs, "openSync"),
    open(mutableFs.promises, "open"),
    open(mutableFs, "createWriteStream"),
    ...processNames.map((name) => ({
      owner: require("node:child_process"),
      name,
      effectOf: () => `started a process (${name})`
    })),
    ...sockets.map(([owner, name]) => ({
      owner,
      name,
      effectOf: () => `opened a socket (${name})`
    }))
  ].filter(({ name, owner }) => isFunction(Reflect.get(owner, name)))
}

/** Replaces a function of Node, and throws if that is impossible, because the function's effects would be missed. */
const replace = (owner: object, name: string, value: AnyFunction): void => {
  if (!Reflect.set(owner, name, value)) throw new TypeError(`${name} cannot be replaced`)
}

/** True in the fibers of a capability's work. */
const InsideCapability = Context.Reference<boolean>("@bough/tool/testing/InsideCapability", {
  defaultValue: () => false
})

export interface Watch {
  /** True if the code printed to stdout. */
  readonly hasPrinted: boolean
  /** The effects of the code itself, in order. */
  readonly seen: ReadonlyArray<string>
  /** Runs the work of a capability, whose effects are not reported. */
  readonly apart: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs the synchronous work of a capability, whose effects are not reported. */
  readonly apartNow: <A>(work: () => A) => A
  /** Restores Node's own functions. */
  readonly stop: () => void
}

/** Watches until `stop`. Only one watch may run at a time, since Node's functions are global to the process. */
export const start = (): Watch => {
  const seen: Array<string> = []
  let hasPrinted = false
  let pending = 0
  let applied = 0
  const before = ProcessState.read()
  // While a capability works, code outside of fibers, such as the continuation of a promise, cannot be distinguished
  // from it.
  const isApart = (): boolean => applied > 0 || (Fiber.getCurrent()?.getRef(InsideCapability) ?? pending > 0)
  const originals = observedFunctions().map(({ effectOf, name, owner, prints }) => {
    const original = Reflect.get(owner, name) as AnyFunction
    const note = (args: ReadonlyArray<unknown>, self: unknown): void => {
      if (prints === true) hasPrinted ||= HandlerOrigin.current() !== undefined && !isApart()
      const effect = isApart() ? null : effectOf(args, self)
      if (effect !== null) seen.push(effect)
    }
    const observing = new Proxy(original, {
      apply: (target, self, args: Array<unknown>): unknown => {
        note(args, self)
        const result: unknown = Reflect.apply(target, self, args)
        if (processNames.includes(name) && isApart()) ofCapabilities.add((result as ChildProcess).pid ?? 0)
        return result
      },
      construct: (target, args: Array<unknown>, newTarget): object => {
        note(args, null)
        return Reflect.construct(target, args, newTarget) as object
      }
    })
    replace(owner, name, observing)
    return { owner, name, original }
  })
  syncBuiltinESMExports()
  return {
    get hasPrinted() {
      return hasPrinted
    },
    get seen() {
      return [...seen, ...ProcessState.changes(before).map((name) => `changed ${name} of this process`)]
    },
    apart: (work) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void (pending += 1)),
        () => Effect.provideService(work, InsideCapability, true),
        () => Effect.sync(() => void (pending -= 1))
      ),
    apartNow: (work) => {
      applied += 1
      const done = Result.try(work)
      applied -= 1
      return Result.getOrThrow(done)
    },
    stop: () => {
      for (const { name, original, owner } of originals) replace(owner, name, original)
      syncBuiltinESMExports()
      ProcessState.restore(before)
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

/** The handles of which there are more than before, by kind. */
export const newHandles = (before: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map(
    [...handles()]
      .filter(([kind]) => kind !== "Immediate")
      .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
      .filter(([, count]) => count > 0)
  )

/** Describes a kind of handle whose number has increased beyond those that may be kept; null: there is none. */
export const leakedHandle = (
  before: ReadonlyMap<string, number>,
  exempt: ReadonlyMap<string, number> = new Map()
): string | null => {
  for (const [kind, count] of newHandles(before)) {
    const allowed = exempt.get(kind) ?? 0
    if (count > allowed) return `${count - allowed} of ${kind}`
  }
  return null
}
