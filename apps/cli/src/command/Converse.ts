/** The conversation: on the screen of a terminal that can, else a line, a turn, a line. Ctrl-C stops a turn, twice at the prompt it quits, as does the end of input. */
import type { Session, Turn } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as SettingsFile from "../config/Settings.ts"
import type { Settings } from "../config/Settings.ts"
import * as Escape from "../Escape.ts"
import { toStop, unexpected } from "../Failures.ts"
import * as Home from "../Home.ts"
import type { Program } from "../Program.ts"
import * as FirstRun from "../start/FirstRun.ts"
import { exitCode, quietly, Stop } from "../Stop.ts"
import * as ConversationView from "../terminal/ConversationView.ts"
import * as LiveText from "../terminal/LiveText.ts"
import * as Channels from "./Channels.ts"
import * as ErrorLine from "./ErrorLine.ts"
import * as InPlainLines from "./InPlainLines.ts"
import * as LookBack from "./LookBack.ts"
import * as Models from "./Models.ts"
import * as OpenSession from "./OpenSession.ts"
import type { Common, ConverseOptions, SessionOptions } from "./Options.ts"
import * as TrustQuestion from "./TrustQuestion.ts"

export const converse = Effect.fnUntraced(function* (program: Program, common: Common, options: ConverseOptions) {
  const ask = program.terminal.isInteractive ? TrustQuestion.make(program) : null
  const loaded = yield* SettingsFile.load(program.surroundings, { ...options, cwd: common.cwd }, ask)
  for (const notice of loaded.notices) program.output.note(notice)
  const settings = yield* FirstRun.choose(program, loaded)
  const model = yield* Models.choose(program, settings)
  const talk = isScreen(program, settings, options.screenReader)
    ? Effect.flatMap(screen(program), ({ converse }) => converse(program, settings, { options, model }))
    : inSession(program, settings, { options, model })
  yield* talk.pipe(
    Effect.scoped,
    Effect.provide(program.adapters.store(settings.dataDirectory)),
    Effect.mapError((error) => (error._tag === "Stop" ? error : toStop(error)))
  )
})

/** The screen needs a terminal that can move its cursor; a screen reader wants lines. */
const isScreen = ({ terminal }: Program, { plainTerminal, surroundings }: Settings, screenReader: boolean): boolean =>
  terminal.isInteractive &&
  process.stdout.isTTY &&
  !screenReader &&
  !plainTerminal &&
  surroundings.variables["TERM"] !== "dumb"

// Loaded here alone: scripts pay nothing for it. What asked before has given the terminal back by then.
const screen = ({ terminal }: Program) =>
  Effect.promise(() => {
    terminal.close()
    return import("../screen/Conversation.ts")
  })

interface Conversing {
  readonly options: SessionOptions
  readonly model: Models.Model
}

const inSession = Effect.fnUntraced(function* (program: Program, settings: Settings, { model, options }: Conversing) {
  const view = ConversationView.make(program.output)
  const session = yield* OpenSession.open(program, settings, {
    which: options,
    kind: "Main",
    model,
    channel: yield* Channels.terminal(program, settings, view),
    reflects: settings.reflect ?? program.terminal.isInteractive
  })
  program.output.onClosed(() => program.signals.interrupt("SIGTERM"))
  if (program.terminal.isInteractive) greet(program, settings, { model: model.name, session })
  const remembered: Array<string> = []
  let last: Outcome = "done"
  if (yield* session.hasOpenTurn) {
    program.output.note("the last turn was left open; going on with it")
    last = yield* attempt(program, session, { work: session.resume, view })
  }
  while (true) {
    const text = yield* LookBack.meanwhile(session, nextMessage(program), (lines) => remembered.push(...lines))
    // Not while a line is being written.
    for (const line of remembered.splice(0)) program.output.note(line)
    if (text === null) break
    last = yield* attempt(program, session, { work: session.run({ text, media: [] }), view })
  }
  // Nobody waits for the end of a script's input; a person who goes is let go.
  if (!program.terminal.isInteractive) {
    for (const line of LookBack.linesOf(yield* session.lookBack)) program.output.note(line)
  }
  // A person saw how each turn ended; a script has the exit code.
  if (!program.terminal.isInteractive && last !== "done") return yield* quietly(last)
})

const greet = (
  { name, output, surroundings, version }: Program,
  { workspaceRoot }: Settings,
  { model, session }: { readonly model: string; readonly session: Session.Session }
): void => {
  const place = Home.forPeople(workspaceRoot, surroundings.home)
  output.noteEscaped(
    output.style.dim(Escape.line(`${name} ${version} · ${model} · ${place} · session ${session.sessionId}`))
  )
  output.noteEscaped(output.style.dim("Ctrl-C stops a turn, twice it quits. /help says more."))
}

const help = [
  "Type what you want done and press Enter; a line that ends in \\ goes on in the next one.",
  "While the agent works: a line that you send is read before its next step, Ctrl-C stops the turn.",
  "When it asks: y yes · n no, with words · a always · ? everything.",
  "/help this · /quit ends the conversation, as do Ctrl-D and Ctrl-C twice. --continue goes on with it later."
]

/** The next thing that is said; null: the conversation is over. */
const nextMessage = Effect.fnUntraced(function* ({ name, output, terminal }: Program) {
  let interrupts = 0
  let before = ""
  while (true) {
    const line = yield* terminal.readLine(before === "" ? "› " : "… ")
    if (line._tag === "End") return before.trim() === "" ? null : before
    if (line._tag === "Interrupted") {
      if (++interrupts === 2) return null
      before = ""
      output.note("press Ctrl-C again to quit")
      continue
    }
    interrupts = 0
    if (line.text.endsWith("\\")) {
      before += `${line.text.slice(0, -1)}\n`
      continue
    }
    const text = (before + line.text).trim()
    before = ""
    if (text === "/quit" || text === "/exit") return null
    const instead = terminal.isInteractive ? InPlainLines.insteadOf(text, name) : null
    if (text === "/help") for (const row of help) output.note(row)
    else if (instead !== null) output.note(instead)
    else if (text !== "") return text
  }
})

/** How a turn ended, as an exit code where it did not end well. */
type Outcome = "done" | 1 | 3 | 4 | 130

interface Attempt {
  readonly work: Effect.Effect<Turn.TurnResult | null, Session.TurnFailure>
  readonly view: ConversationView.ConversationView
}

/** One turn that Ctrl-C can stop. Whatever becomes of it, the conversation goes on. */
const attempt = (program: Program, session: Session.Session, { view, work }: Attempt): Effect.Effect<Outcome> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { output, signals, terminal } = program
      const fiber = yield* Effect.forkScoped(work)
      yield* Effect.acquireRelease(
        Effect.sync(() => signals.duringWork(() => fiber.interruptUnsafe())),
        (release) => Effect.sync(release)
      )
      yield* terminal.whileWorking({
        onInterrupt: () => signals.interrupt("SIGINT"),
        onLine: (text) => {
          output.note(`  for the next step: ${text}`)
          Effect.runFork(Effect.ignore(session.steer(text)))
        }
      })
      const exit = yield* Fiber.await(fiber)
      view.finishLine()
      if (Exit.isSuccess(exit)) return ending(program, exit.value)
      if (Exit.hasInterrupts(exit)) {
        output.note("stopped")
        return exitCode.interrupted
      }
      ErrorLine.print(program, stopOf(exit))
      return exitCode.failed
    })
  )

const stopOf = (exit: Exit.Failure<unknown, Session.TurnFailure>): Stop => {
  const found = Exit.findErrorOption(exit)
  return found._tag === "Some" ? toStop(found.value) : unexpected(exit.cause)
}

const ending = ({ output }: Program, result: Turn.TurnResult | null): Outcome => {
  if (result === null || result.status === "completed") return "done"
  output.note(result.reason)
  const atWork = LiveText.stillAtWork(result.status === "suspended" ? 0 : result.live)
  if (atWork !== null) output.note(atWork)
  if (result.status === "suspended") return exitCode.needsApproval
  return result.status === "spent" ? exitCode.budgetSpent : exitCode.failed
}
