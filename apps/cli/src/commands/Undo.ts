/** `undo`: restores the files of a workspace to their state before a turn of a conversation. */
import * as Home from "@bough/host/config/Home"
import * as SessionUndo from "@bough/host/session/SessionUndo"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as UndoFlags from "../command-line/flags/UndoFlags.ts"
import type { Program } from "../Program.ts"
import * as UndoReport from "../session/UndoReport.ts"
import { withStore } from "../session/WithStore.ts"

const parameters = { turn: UndoFlags.turn, session: UndoFlags.session, force: UndoFlags.force }

const undo = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { force, session, turn }: CommandOptions<typeof parameters>
) {
  const { name, output } = program
  yield* UndoReport.refuseAgents(program, Home.dataDirectory(program.environment))
  yield* withStore(
    program,
    Effect.gen(function* () {
      const { changes, secrets, sessionId, snapshots } = yield* UndoReport.open(program, common, session)
      const restored = yield* Effect.mapError(
        snapshots.undo({ session: sessionId, calls: changes, turn, isForced: force }),
        SessionUndo.toHostFailure
      )
      yield* UndoReport.informAgent(program, sessionId, { kind: "undo", ...restored, secrets })
      for (const line of UndoReport.lines(restored)) output.answerEscaped(text`${Escape.line(line)}\n`)
      output.note(
        `restored files to their state before turn ${restored.turn}: ${UndoReport.summary(restored)}; "${name} redo --session ${sessionId}" reverts this`
      )
    })
  )
})

export const command = declare({ parameters, run: undo })
