/** `sessions fork`: starts a new session from the entries of another one. */
import * as Home from "@bough/host/config/Home"
import * as FindSession from "@bough/host/session/FindSession"
import * as SessionFork from "@bough/host/session/SessionFork"
import { Fork } from "@bough/runtime"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as UndoFlags from "../../command-line/flags/UndoFlags.ts"
import type { Program } from "../../Program.ts"
import * as UndoReport from "../../session/UndoReport.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = {
  id: ListFlags.sessionId,
  at: Shapes.optional(
    Flag.Int("at").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Last entry to copy, numbered as in `sessions show`; default: the newest")
    )
  ),
  files: Shapes.toggle(
    "files",
    "Undo the file changes of the session after that entry; `redo --session FORK` reverts this"
  ),
  force: UndoFlags.force
}

const fork = (
  program: Program,
  common: Common,
  { at, files, force, id }: CommandOptions<typeof parameters>
): Effect.Effect<void, CliFailure> => {
  if (force && !files)
    return Effect.fail(usage("--force needs --files", "--force only affects the files that --files restores"))
  return withStore(
    program,
    files
      ? forkWithFiles(program, common, { at, id, isForced: force })
      : Effect.gen(function* () {
          report(program, yield* Fork.fork(yield* FindSession.byId(id), at))
        })
  )
}

interface ForkPoint {
  readonly id: string
  readonly at: number | null
  readonly isForced: boolean
}

const forkWithFiles = Effect.fnUntraced(function* (program: Program, common: Common, { at, id, isForced }: ForkPoint) {
  yield* UndoReport.refuseAgents(program, Home.dataDirectory(program.environment))
  const { secrets, snapshots } = yield* UndoReport.open(program, common, id)
  const sessionId = yield* FindSession.byId(id)
  const { forkId, originalId, restored } = yield* SessionFork.withFiles({
    sessionId,
    throughSeq: at,
    snapshots,
    isForced
  })
  report(program, forkId)
  const { name, output } = program
  if (restored === null) return output.note("no file had to be restored")
  for (const line of UndoReport.lines(restored)) output.note(line)
  output.note(
    `restored files to entry ${at}: ${UndoReport.summary(restored)}; "${name} redo --session ${forkId}" reverts this`
  )
  yield* UndoReport.informAgent(program, originalId, { kind: "undo", ...restored, secrets })
})

const report = ({ name, output }: Program, forkId: string): void => {
  output.answer(`${forkId}\n`)
  output.note(`session ${forkId} is ready; continue it with "${name} --session ${forkId}"`)
}

export const command = declare({ parameters, run: fork })
