/** The parts that `undo`, `redo` and `diff` share: the conversation, and the report of what was restored. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import * as SessionUndo from "@bough/host/session/SessionUndo"
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
  const undoable = yield* SessionUndo.open(settings, { given: session, workspaceRoot, outside })
  return { ...undoable, secrets: settings.secrets }
})

/** An agent changes files by its tools, where what it does is recorded; what it did is a person's to undo. */
export const refuseAgents = ({ environment }: Program, dataDirectory: string): Effect.Effect<void, CliFailure> =>
  Lineage.isRunByAgent({
    parent: process.ppid,
    variables: environment.variables,
    database: join(dataDirectory, "bough.db")
  })
    ? Effect.fail(
        new Failure({
          code: exitCode.needsApproval,
          message: "what an agent changed is undone by a person: no command of an agent does it",
          hint: "",
          details: ""
        })
      )
    : Effect.void

/** One line per file, then what was left out. */
export const lines = ({ lost, removed, written }: Undo.Restored): ReadonlyArray<string> => [
  ...written.map((path) => `restored  ${path}`),
  ...removed.map((path) => `removed   ${path}`),
  ...lost.map(({ path, reason }) => `left      ${path} (in no snapshot: ${reason})`)
]

export const summary = ({ removed, written }: Undo.Restored): string =>
  `${counted(written.length, "path")} restored, ${removed.length} removed`

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`
