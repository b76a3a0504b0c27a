/**
 * Open files that a child inherits: contents from memory, and replacements for descriptors that this process itself
 * inherited.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

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
export const withReopened = <A, E>(
  files: ReadonlyArray<number>,
  use: (descriptors: ReadonlyArray<number>) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => files.map((file) => openSync(`/proc/self/fd/${file}`, "r"))),
    use,
    (descriptors) => Effect.sync(() => descriptors.forEach((descriptor) => closeSync(descriptor)))
  )

const closeOnExec = 0o2000000

/**
 * Finds the additional descriptors that a child would inherit, because the parent of this process left them open.
 */
export const inheritedAbove = (last: number): Effect.Effect<ReadonlyArray<number>> =>
  Effect.sync(() =>
    readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((descriptor) => descriptor > last && !closesOnExec(descriptor))
  )

// A descriptor that no longer exists, such as that of the directory listing itself, is skipped.
const closesOnExec = (descriptor: number): boolean =>
  Result.getOrElse(
    Result.map(
      Result.try(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")),
      (info) => (Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? "0", 8) & closeOnExec) !== 0
    ),
    () => true
  )

let devNull: number | null = null

type Descriptor = number | "pipe" | "ignore" | "ipc"

/** Returns `descriptors` from 3 on, and then /dev/null at each number in `plugged`; these numbers are all higher. */
export const fillGaps = (
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
export const descriptorOf = (
  descriptors: ReadonlyArray<Descriptor>,
  first: number,
  more: ReadonlyArray<number>
): ReadonlyArray<Descriptor> =>
  more.length === 0
    ? descriptors
    : [...descriptors, ...Array<"ignore">(first - 3 - descriptors.length).fill("ignore"), ...more]
