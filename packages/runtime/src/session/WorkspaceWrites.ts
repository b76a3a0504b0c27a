/**
 * How often the sessions of a tree have run what may write the workspace. A command outside any sandbox is approved for the
 * files as they were: whatever the tree writes afterwards makes that approval lapse.
 */
import { type DispatchContext, MayWrite } from "@bough/dispatch"
import { Canonical, type Session } from "@bough/protocol"
import type { Ran } from "../journal/Provenance.ts"

interface Writer {
  readonly ran: Ran
  readonly registry: DispatchContext.Registry
}

/** The sessions of one tree that this process has opened, with those that have ended. */
export type Writers = Map<Session.SessionId, Writer>

/** Changes with each run, in any session, of a tool that may write the workspace. */
export const digestOf = (writers: Writers): string =>
  Canonical.digestOf(
    Object.fromEntries(
      [...writers].flatMap(([sessionId, writer]) => {
        const count = countOf(writer)
        return count === 0 ? [] : [[sessionId, count]]
      })
    )
  )

/** A tool that is not known any more may have written. */
const countOf = ({ ran, registry }: Writer): number => {
  let count = 0
  for (const [name, times] of ran) {
    const tool = registry.get(name)
    if (tool === undefined || MayWrite.mayWrite(tool)) count += times
  }
  return count
}
