/** The conversation: full-screen if the terminal supports it, else in plain lines. Ctrl-C stops a turn; Ctrl-C twice at the prompt and the end of input quit. */
import type { Settings } from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import type { CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as SessionFlags from "../command-line/flags/SessionFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"
import * as ContinuedSettings from "../session/ContinuedSettings.ts"
import * as Models from "../session/Models.ts"
import * as TrustQuestion from "../session/TrustQuestion.ts"
import * as FirstRun from "../start/FirstRun.ts"
import * as CustomCommands from "../ui/conversation/CustomCommands.ts"

export const description = "An agent that works in this directory. Without a command it opens a conversation."

export const parameters = {
  ...SessionFlags.turns,
  screenReader: Shapes.toggle(
    "screen-reader",
    "Use plain lines that are written once, for screen readers; the same as terminal.plain in the configuration"
  )
}

type ConverseOptions = CommandOptions<typeof parameters>

export const converse = Effect.fnUntraced(function* (program: Program, common: Common, options: ConverseOptions) {
  const ask = program.terminal.isInteractive ? TrustQuestion.make(program) : null
  const loaded = yield* ContinuedSettings.load(program, { ...options, cwd: common.cwd }, ask)
  for (const notice of [...loaded.notices, ...CustomCommands.notices(loaded)]) program.output.note(notice)
  const settings = yield* FirstRun.choose(program, loaded)
  const model = yield* Models.choose(program, settings)
  const talk = isScreen(program, settings, options.screenReader)
    ? Effect.flatMap(screen(program), ({ converse }) => converse(program, settings, { options, model }))
    : Effect.flatMap(lines, ({ converse }) => converse(program, settings, { options, model }))
  yield* talk.pipe(
    Effect.scoped,
    Effect.provide(program.adapters.store(settings.dataDirectory)),
    Effect.mapError(toCliFailure)
  )
})

/** The screen needs a terminal with a movable cursor; a screen reader needs plain lines. */
const isScreen = (
  { stdout, terminal }: Program,
  { environment, terminal: { plain: plainTerminal } }: Settings,
  screenReader: boolean
): boolean =>
  terminal.isInteractive && stdout.isTTY && !screenReader && !plainTerminal && environment.variables["TERM"] !== "dumb"

const lines = Effect.promise(() => import("../ui/plain/Conversation.ts"))

// Loaded only here, so that scripts do not load it. The line terminal of earlier prompts releases stdin first.
const screen = ({ terminal }: Program) =>
  Effect.promise(() => {
    terminal.close()
    return import("../ui/tui/Conversation.ts")
  })
