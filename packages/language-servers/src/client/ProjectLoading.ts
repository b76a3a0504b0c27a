/**
 * The time in which a server has not yet found the files of its project. Pyright answers meanwhile, with the open files
 * alone: a list of uses or a rename would be incomplete without a sign of it.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

export interface ProjectLoading {
  /** Reads a message of the server's log. */
  readonly log: (message: string) => void
  /** Waits until the files are found, for servers that log it; at most a minute. */
  readonly found: Effect.Effect<void>
}

/** The questions whose answers depend on every file of the project. */
export const concernsProject = (method: string): boolean =>
  ["textDocument/references", "textDocument/rename", "workspace/symbol"].includes(method)

const starts = /^(?:based)?pyright language server\b.* starting/iu
const finds = /^(?:Found \d+ source files?|No source files found)/u
const maxMillis = 60_000

export const make = (): ProjectLoading => {
  const latch = Latch.makeUnsafe(true)
  return {
    log: (message) => {
      if (starts.test(message)) latch.closeUnsafe()
      if (finds.test(message)) latch.openUnsafe()
    },
    found: Effect.asVoid(Effect.timeoutOption(latch.await, maxMillis))
  }
}
