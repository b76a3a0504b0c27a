/**
 * Open files that a child inherits: contents from memory, and replacements for descriptors that this process itself
 * inherited.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

const opened = new Map<string, number>()

/**
 * Returns a content as an open file without a name, so that nothing remains on disk. It is opened once for this process
 * and never closed.
 */
export const nameless = (content: string | Uint8Array): Effect.Effect<number> => {
  const key = Buffer.from(content).toString("latin1")
  const known = opened.get(key)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-"))),
    (directory) =>
      Effect.sync(() => {
        const path = join(directory, "file")
        writeFileSync(path, content, { mode: 0o400 })
        const file = openSync(path, "r")
        opened.set(key, file)
        return file
      }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
}

/** Opens the files again from their beginning, for one child; closes them after `use`. */
export const reopened = <A, E>(
  files: ReadonlyArray<number>,
  use: (descriptors: ReadonlyArray<number>) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => files.map((file) => openSync(`/proc/self/fd/${file}`, "r"))),
    use,
    (descriptors) => Effect.sync(() => descriptors.forEach((descriptor) => closeSync(descriptor)))
  )

const closeOnExec = 0o2000000

/** Finds the descriptors above 2 that every child of this process would inherit, because its parent left them open. */
export const inherited: Effect.Effect<ReadonlyArray<number>> = Effect.suspend(() =>
  Effect.filter(readdirSync("/proc/self/fdinfo").map(Number), (descriptor) =>
    descriptor > 2 ? Effect.map(closesOnExec(descriptor), (closes) => !closes) : Effect.succeed(false)
  )
)

// A descriptor that no longer exists, such as the one that listed the directory, counts as closing.
const closesOnExec = (descriptor: number): Effect.Effect<boolean> =>
  Effect.try(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")).pipe(
    Effect.map((info) => (Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? "0", 8) & closeOnExec) !== 0),
    Effect.orElseSucceed(() => true)
  )

let devNull: number | null = null

type Descriptor = number | "pipe" | "ignore" | "ipc"

/** Returns `descriptors` from 3 on, with /dev/null at each number in `plugged`, which are all higher. */
export const plug = (
  descriptors: ReadonlyArray<Descriptor>,
  plugged: ReadonlyArray<number>
): ReadonlyArray<Descriptor> => {
  const result: Array<Descriptor> = [...descriptors]
  for (const descriptor of plugged) {
    while (result.length < descriptor - 3) result.push("ignore")
    result[descriptor - 3] = devNull ??= openSync("/dev/null", "r")
  }
  return result
}

/** Returns `descriptors` from 3 on, and `more` from `first` on. */
export const from = (
  descriptors: ReadonlyArray<Descriptor>,
  first: number,
  more: ReadonlyArray<number>
): ReadonlyArray<Descriptor> =>
  more.length === 0
    ? descriptors
    : [...descriptors, ...Array<"ignore">(first - 3 - descriptors.length).fill("ignore"), ...more]
