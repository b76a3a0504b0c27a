/**
 * Names of a workspace that no command may create (`.bough`, `.git`). A mount needs a target, so while commands run, an
 * empty directory is there on the host, with a mount over it in each sandbox. Removing a directory also removes the mounts
 * over it in other sandboxes. So each run leaves a mark inside and removes it afterwards; the directory is removed with
 * the last mark, by an rmdir that fails while any mark is left.
 */
import { mkdirSync, readdirSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Disk from "./Disk.ts"

/** How an entry of the workspace is shown to commands. */
export type Standing =
  | { readonly _tag: "Present"; readonly path: string }
  | { readonly _tag: "Reserved"; readonly path: string; readonly mark: string }
  /** No account can make an entry there. */
  | { readonly _tag: "Barred" }
  /** A link: it could be replaced, for nothing can be mounted on it. */
  | { readonly _tag: "Link"; readonly path: string }

let ownMark: string | null = null
let runs = 0

/** Looks at `name` in `workspace`, and reserves it where nothing is. Give it back to `release`. */
export const reserve = Effect.fnUntraced(function* (workspace: string, name: string): Effect.fn.Return<Standing> {
  const path = join(workspace, name)
  ownMark ??= yield* madeMark
  while (true) {
    const code = yield* attempt(() => mkdirSync(path))
    if (code === "EEXIST") {
      const found = yield* Disk.entry(path)
      if (found?.isSymbolicLink()) return { _tag: "Link", path }
      if (found !== null && !(found.isDirectory() && (yield* holdsMarksAlone(path)))) return { _tag: "Present", path }
    } else if (code !== null) return { _tag: "Barred" }
    const mark = join(path, `${ownMark}-${runs++}`)
    const marked = yield* attempt(() => mkdirSync(mark))
    if (marked === null) return { _tag: "Reserved", path, mark }
    // Otherwise the last one to leave took the directory away in between: again.
    if (marked !== "ENOENT") return { _tag: "Present", path }
  }
})

/** Removes the reservation once no other command needs it. */
export const release = (standing: Standing): Effect.Effect<void> =>
  standing._tag === "Reserved"
    ? Effect.andThen(
        attempt(() => rmdirSync(standing.mark)),
        attempt(() => rmdirSync(standing.path))
      ).pipe(Effect.asVoid)
    : Effect.void

/** Null: done; else the system's code. */
const attempt = (change: () => unknown): Effect.Effect<string | null> =>
  Effect.try({ try: change, catch: (cause) => (cause as NodeJS.ErrnoException).code ?? "UNKNOWN" }).pipe(
    Effect.as(null),
    Effect.catch((code) => Effect.succeed(code))
  )

const markPattern = /^bough-sandbox-(\d+)-(\d+)-(\d+)-\d+$/

/** True if a directory holds only marks, or nothing yet. Marks of dead processes are removed. */
const holdsMarksAlone = Effect.fnUntraced(function* (path: string) {
  // A directory that cannot be read is gone again, or not accessible: creating a mark in it will show which.
  const names = yield* Effect.orElseSucceed(
    Effect.try(() => readdirSync(path)),
    () => []
  )
  const marks = names.map((name) => markPattern.exec(name))
  if (marks.includes(null)) return false
  const space = yield* processSpace
  for (const mark of marks) {
    const [name, markSpace, pid, started] = mark as RegExpExecArray
    if (markSpace === space && (yield* startTime(pid)) !== started) yield* attempt(() => rmdirSync(join(path, name)))
  }
  return true
})

/** Identifies this PID namespace: process ids of another one mean nothing here. */
const processSpace = Effect.map(Disk.linkTarget("/proc/self/ns/pid"), (link) => /\d+/.exec(link ?? "")?.[0] ?? "0")

/** A process is its pid and when it started, in the kernel's ticks. Null: it is gone, if only to be collected. */
const startTime = (pid: string): Effect.Effect<string | null> =>
  Effect.map(Disk.text(`/proc/${pid}/stat`), (stat) => {
    const [state, ...fields] = stat === null ? ["X"] : stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === "Z" || state === "X" ? null : (fields[18] ?? null)
  })

const madeMark = Effect.map(
  Effect.all([processSpace, startTime(`${process.pid}`)]),
  ([space, started]) => `bough-sandbox-${space}-${process.pid}-${started ?? 0}`
)
