/**
 * Counts the runs of a tree's tools that may write the workspace. A command outside any sandbox is approved for the
 * current files: a later write by the tree makes that approval lapse.
 */
import { type DispatchContext, MayWrite } from "@bough/dispatch"
import { Canonical, type Session } from "@bough/protocol"
import type { CallCounts } from "../journal/Provenance.ts"

interface Writer {
  readonly ran: CallCounts
  readonly registry: DispatchContext.Registry
}

/** The sessions of one tree that this process has opened, ended ones included. */
export type Writers = Map<Session.SessionId, Writer>

/** Returns a digest that changes with each run, in any session, of a tool that may write the workspace. */
export const digestOf = (writers: Writers): string =>
  Canonical.digestOf(
    Object.fromEntries(
      [...writers].flatMap(([sessionId, writer]) => {
        const count = countOf(writer)
        return count === 0 ? [] : [[sessionId, count]]
      })
    )
  )

/** Counts the runs; an unknown tool may have written. */
const countOf = ({ ran, registry }: Writer): number => {
  let count = 0
  for (const [name, times] of ran) {
    const tool = registry.get(name)
    if (tool === undefined || MayWrite.mayWrite(tool)) count += times
  }
  return count
}
