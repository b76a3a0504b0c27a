/** `diff`: the changes that `undo` would revert, as a unified diff. Known secrets are not shown. */
import { Redaction } from "@bough/dispatch"
import * as FileDiff from "@bough/host/session/FileDiff"
import * as SessionUndo from "@bough/host/session/SessionUndo"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as UndoFlags from "../command-line/flags/UndoFlags.ts"
import { diffPaint } from "../format/DiffPaint.ts"
import type { Program } from "../Program.ts"
import * as UndoReport from "../session/UndoReport.ts"
import { withStore } from "../session/WithStore.ts"

const parameters = { turn: UndoFlags.turnToShow, session: UndoFlags.session }

const diff = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { session, turn }: CommandOptions<typeof parameters>
) {
  const { output } = program
  yield* withStore(
    program,
    Effect.gen(function* () {
      const { changes, secrets, sessionId, snapshots } = yield* UndoReport.open(program, common, session)
      const files = yield* Effect.mapError(
        snapshots.diff({ session: sessionId, calls: changes, turn }),
        SessionUndo.toDiffFailure
      )
      const { redact } = Redaction.make(secrets)
      for (const file of files) {
        for (const line of FileDiff.lines(file, redact)) {
          const paint = diffPaint(line, output.style)
          output.answerEscaped(text`${output.stdoutIsTerminal ? paint(Escape.line(line)) : Escape.line(line)}\n`)
        }
      }
    })
  )
})

export const command = declare({ parameters, run: diff })
