/**
 * The background commands of a tree that this process owns: records their ends, and lists and stops them for a user.
 */
import { type Session, ToolError } from "@bough/protocol"
import type { BackgroundCommand, Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import type { Agent } from "./Agent.ts"
import * as CommandEnds from "./CommandEnds.ts"
import * as SessionCache from "./SessionCache.ts"
import type { SessionServices } from "./SessionServices.ts"

/** The background commands, for the user of the session. */
export interface TreeCommands {
  /** Lists commands, oldest first, including ended ones whose output is still stored. */
  readonly list: Effect.Effect<ReadonlyArray<BackgroundCommand>>
  /** Returns the end of a command's output. */
  readonly output: (commandId: string) => Effect.Effect<Execution.CommandOutput, ToolError.ValidationError>
  /** Ends the calls that wait for commands, while the commands keep running; returns the number of commands. */
  readonly leave: () => number
  readonly stop: (commandId: string) => Effect.Effect<Execution.CommandOutput, ToolError.ValidationError>
}

type Owner = Pick<Agent, "workspace" | "redaction">

export const make = ({ redaction, workspace: { commands } }: Owner, treeId: Session.SessionId): TreeCommands => {
  const redacted = (output: Execution.CommandOutput): Execution.CommandOutput => ({
    ...output,
    text: redaction.redact(output.text)
  })
  const message = "this session has no background commands"
  // Created on use, because an error object retains everything that its stack refers to.
  const unavailable = Effect.suspend(() => Effect.fail(new ToolError.ValidationError({ message, issues: [] })))
  return {
    list: Effect.map(commands?.refreshPorts(treeId) ?? Effect.void, () =>
      (commands?.list(treeId) ?? []).map((one) => ({ ...one, command: redaction.redact(one.command) }))
    ),
    output: (id) => (commands === undefined ? unavailable : Effect.map(commands.output(treeId, id), redacted)),
    leave: () => commands?.leave(treeId) ?? 0,
    stop: (id) =>
      commands === undefined ? unavailable : Effect.map(commands.stop(treeId, id, "by the user"), redacted)
  }
}

/**
 * Records the ends of commands as they occur, and those that an earlier process could not record. The returned effect
 * stops the recording.
 */
export const watch = (
  opened: SessionCache.LoadedSession,
  { workspace: { commands } }: Owner
): Effect.Effect<Effect.Effect<void>, JournalCorrupt | LeaseLost | StoreFailed> => {
  const { treeId } = opened.lease
  const recordMissed = SessionCache.useSession(opened, ({ journal }) => CommandEnds.record(journal, commands ?? null))
  if (commands === undefined) return Effect.as(recordMissed, Effect.void)
  const forget = commands.onEnded((ended) => {
    if (ended.treeId !== treeId) return
    Effect.runFork(
      Effect.ignoreCause(
        SessionCache.useSession(opened, (main) => {
          const journal = journalOf(main, ended.sessionId)
          return journal === undefined ? Effect.void : CommandEnds.record(journal, commands)
        })
      )
    )
  })
  return Effect.as(recordMissed, forget)
}

const journalOf = ({ journal, tree }: SessionServices, sessionId: Session.SessionId) =>
  sessionId === journal.sessionId ? journal : tree.live.get(sessionId)?.session.journal

/**
 * Stops the commands of the tree when the process releases it, and records their ends if the process still owns the
 * tree.
 */
export const close = (opened: SessionCache.LoadedSession, { workspace: { commands } }: Owner): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { treeId } = opened.lease
    const sessions = new Set((commands?.list(treeId) ?? []).map(({ sessionId }) => sessionId))
    if (commands === undefined || sessions.size === 0) return Effect.void
    return Effect.ignoreCause(
      Effect.andThen(
        Effect.forEach(sessions, (sessionId) => commands.stopSession(sessionId, closeReason), {
          concurrency: "unbounded"
        }),
        SessionCache.useSession(opened, (main) =>
          Effect.forEach(sessions, (sessionId) => {
            const journal = journalOf(main, sessionId)
            return journal === undefined ? Effect.void : CommandEnds.record(journal, commands)
          })
        )
      )
    )
  })

const closeReason = "when the session was closed"
