/**
 * `/undo` and `/redo`: restore the files of the workspace to their state before or after turns of this conversation.
 */
import * as SessionUndo from "@bough/host/session/SessionUndo"
import { SessionStore, type UndoneChanges, WorkspaceChanges } from "@bough/runtime"
import type { Undo } from "@bough/snapshots"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import type { Program } from "../../Program.ts"
import * as UndoReport from "../../session/UndoReport.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"

type CommandResult = Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore>

/** The argument that also overwrites files that were changed since. */
const forceFlag = "--force"

export const undo = ({ ui, program }: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const { isForced, rest } = read(argument)
    const turn = rest === "" ? null : Number(rest)
    if (turn !== null && !Number.isSafeInteger(turn)) {
      return yield* usage(
        `/undo takes the number of a turn, not ${JSON.stringify(rest)}`,
        "/undo alone restores the files to before the last one"
      )
    }
    const snapshots = yield* snapshotsOf(open, program)
    const { sessionId: session } = open.session
    const store = yield* SessionStore.SessionStore
    const calls = yield* Effect.mapError(WorkspaceChanges.read(store, session), toCliFailure)
    const restored = yield* Effect.mapError(snapshots.undo({ session, calls, turn, isForced }), failureOf)
    for (const line of UndoReport.lines(restored)) ui.note(line)
    yield* informAgent(open, { kind: "undo", ...restored })
    ui.note(UndoReport.outcome(restored))
    return "stay"
  })

export const redo = ({ ui, program }: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const { isForced, rest } = read(argument)
    if (rest !== "") return yield* usage(`/redo takes only ${forceFlag}`, "")
    const snapshots = yield* snapshotsOf(open, program)
    const restored = yield* Effect.mapError(snapshots.redo({ session: open.session.sessionId, isForced }), failureOf)
    for (const line of UndoReport.lines(restored)) ui.note(line)
    yield* informAgent(open, { kind: "redo", ...restored })
    ui.note(`reverted the undo of turn ${restored.turn}`)
    return "stay"
  })

export const informAgent = ({ session }: SessionWithModel, changes: UndoneChanges.UndoneChanges) =>
  Effect.mapError(session.recordUndo(changes), toCliFailure)

export const read = (argument: string): { readonly isForced: boolean; readonly rest: string } => {
  const words = argument.split(/\s+/u).filter((word) => word !== "")
  return { isForced: words.includes(forceFlag), rest: words.filter((word) => word !== forceFlag).join(" ") }
}

export const snapshotsOf = ({ session: { snapshots } }: SessionWithModel, { name }: Program) =>
  snapshots === null
    ? Effect.fail(usage("undo is turned off", `"${name} config set undo.enabled true" turns it on`))
    : Effect.succeed(snapshots)

const failureOf = (error: Undo.UndoError) => toCliFailure(SessionUndo.toHostFailure(error))
