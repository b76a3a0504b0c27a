/** The parts that `undo`, `redo` and `diff` share: the conversation, and the report of the restored files. */
import { Redaction } from "@bough/dispatch"
import * as SettingsFile from "@bough/host/config/Settings"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import * as SessionUndo from "@bough/host/session/SessionUndo"
import type { Session } from "@bough/protocol"
import { UndoneChanges } from "@bough/runtime"
import type { Undo } from "@bough/snapshots"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { type CliFailure, CliFailure as Failure, exitCode } from "../CliFailure.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as Lineage from "../io/Lineage.ts"
import type { Program } from "../Program.ts"

/** Opens the conversation that `--session` names, or the newest that has changed files. */
export const open = Effect.fnUntraced(function* (program: Program, common: Common, session: string | null) {
  const settings = yield* SettingsFile.loadForUndo(program.environment)
  const workspaceRoot = yield* SettingsFile.workspaceRoot(program.environment, common.cwd)
  const outside = SessionCapabilities.ownPlaces(settings)
  const undoable = yield* SessionUndo.open(settings, { requested: session, workspaceRoot, outside })
  return { ...undoable, secrets: settings.secrets }
})

/** Refuses agents: an agent changes files by its tools, which are recorded, and only a user may undo them. */
export const refuseAgents = ({ environment }: Program, dataDirectory: string): Effect.Effect<void, CliFailure> =>
  Lineage.isRunByAgent({
    parent: process.ppid,
    variables: environment.variables,
    database: join(dataDirectory, "bough.db")
  })
    ? Effect.fail(
        new Failure({
          code: exitCode.needsApproval,
          message: "only a person may undo an agent's changes, not a command of an agent",
          hint: "",
          details: ""
        })
      )
    : Effect.void

/** Reports the changed files to the model of the session with its next step. */
export const informAgent = (
  { output }: Program,
  sessionId: Session.SessionId,
  { secrets, ...changes }: UndoneChanges.UndoneChanges & { readonly secrets: ReadonlyArray<Redaction.Secret> }
) =>
  UndoneChanges.recordIdle(sessionId, changes, Redaction.make(secrets).redact).pipe(
    Effect.map((isTold) => {
      if (!isTold) output.note("the session is open in another process; its agent was not informed")
    }),
    // The files are restored even if the journal could not record it.
    Effect.catch((error) => Effect.sync(() => output.note(`the agent was not informed: ${error.message}`)))
  )

/** One line per file, followed by the files that were left out. */
export const lines = ({ lost, removed, written }: Undo.UndoResult): ReadonlyArray<string> => [
  ...written.map((path) => `restored  ${path}`),
  ...removed.map((path) => `removed   ${path}`),
  ...lost.map(({ path, reason }) => `left      ${path} (not in a snapshot: ${reason})`)
]

/** Reports an undo in one sentence. A call that was cut off counts as a change, even if it changed no file. */
export const outcome = (restored: Undo.UndoResult): string =>
  lines(restored).length === 0
    ? `no file differs from its state before turn ${restored.turn}; /undo again goes back to an earlier turn`
    : `restored files to their state before turn ${restored.turn}; /redo reverts this`

export const summary = ({ removed, written }: Undo.UndoResult): string =>
  `${formatCount(written.length, "path")} restored, ${removed.length} removed`

const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`
