/**
 * The conversation in plain lines: the user's line, then a turn. For screen readers, terminals that cannot move their
 * cursor, and pipes.
 */
import type { Settings } from "@bough/host/config/Settings"
import type * as FindSession from "@bough/host/session/FindSession"
import * as SessionMode from "@bough/host/session/SessionMode"
import * as Effect from "effect/Effect"
import { exitCode, exitSilently } from "../../CliFailure.ts"
import type { Program } from "../../Program.ts"
import type * as Models from "../../session/Models.ts"
import * as Conversation from "../conversation/Conversation.ts"
import * as PlainUi from "./PlainUi.ts"

export const converse = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { model, options }: { readonly model: Models.Model; readonly options: FindSession.SessionTarget }
) {
  const mode = SessionMode.make()
  const ui = yield* PlainUi.make(program, settings, mode)
  const outcome = yield* Conversation.converse(program, settings, {
    model,
    options,
    ui,
    mode
  })
  // A user saw how each turn ended; a script gets the exit code.
  if (!program.terminal.isInteractive && outcome !== exitCode.done) return yield* exitSilently(outcome)
})
