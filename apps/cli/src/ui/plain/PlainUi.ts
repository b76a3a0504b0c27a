/**
 * Plain lines as the UI of a conversation: reads typed lines at the prompt and during work, and writes everything else to
 * stderr.
 */
import * as Home from "@bough/host/config/Home"
import type { Settings } from "@bough/host/config/Settings"
import * as SessionMode from "@bough/host/session/SessionMode"
import { BlobStore, SessionStore } from "@bough/runtime"
import * as Escape from "@bough/tui/text/Escape"
import * as Layout from "@bough/tui/text/Layout"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as ErrorLine from "../../command-line/ErrorLine.ts"
import * as IndexText from "../../format/IndexText.ts"
import * as ListText from "../../format/ListText.ts"
import type { Program } from "../../Program.ts"
import * as TerminalChannel from "../../session/TerminalChannel.ts"
import type { ConversationUi } from "../conversation/ConversationUi.ts"
import * as CustomCommands from "../conversation/CustomCommands.ts"
import * as fullOutput from "../conversation/fullOutput.ts"
import type { Listing } from "../conversation/Listing.ts"
import * as loadEntries from "../conversation/loadEntries.ts"
import type { OpenedSession } from "../conversation/OpenedSession.ts"
import { textOf, type UserInput } from "../conversation/UserInput.ts"
import * as ConversationView from "./ConversationView.ts"
import * as LastTurn from "./LastTurn.ts"
import * as prompts from "./prompts.ts"

export const make = Effect.fnUntraced(function* (program: Program, settings: Settings, mode: SessionMode.SessionMode) {
  const ports = { blobs: yield* BlobStore.BlobStore, store: yield* SessionStore.SessionStore }
  const view = ConversationView.make(program.output)
  const channel = yield* TerminalChannel.terminal(program, settings, view)
  const typed = yield* Queue.unbounded<UserInput>()
  return uiOf(program, settings, { ports, view, channel, typed, mode })
})

interface Parts {
  readonly ports: {
    readonly blobs: BlobStore.BlobStore["Service"]
    readonly store: SessionStore.SessionStore["Service"]
  }
  readonly view: ConversationView.ConversationView
  readonly mode: SessionMode.SessionMode
  readonly channel: TerminalChannel.TerminalChannel
  /** Input that was typed during the work. */
  readonly typed: Queue.Queue<UserInput>
}

const uiOf = (program: Program, settings: Settings, { channel, mode, ports, typed, view }: Parts): ConversationUi => {
  const { output, signals, terminal } = program
  const customCommands = CustomCommands.toCommands(settings)
  /** Notes that arrived while a line was being written. */
  const later: Array<string> = []
  let waitingInputs: ReadonlyArray<UserInput> = []
  const startedPrompt: prompts.StartedPrompt = { lines: "" }
  let isGreeted = false
  let isWorking = false
  const mention = (text: string): void => (terminal.isInteractive ? void later.push(text) : output.note(text))
  const print = (rows: ReadonlyArray<SafeText>): void => rows.forEach((row) => output.noteEscaped(row))
  const list = (listing: Listing): void => print(ListText.rows(listing, output.columns()))
  return {
    kind: "lines",
    // Output that is truncated for the model is shown in full to the user who ran the command.
    channel: { ...channel, publish: (event) => Effect.map(fullOutput.forEvent(event, ports.blobs), view.show) },
    dialogs: {
      elicit: channel.elicit,
      pick: () => Effect.succeed(null),
      choose: (choice) => prompts.choose(program, choice, list),
      readHidden: terminal.readHidden,
      withoutScreen: (work) =>
        Effect.suspend(() => {
          terminal.close()
          return work
        })
    },
    progress: {
      begin: () => void (isWorking = true),
      stopping: () => {},
      finish: () => {
        isWorking = false
        view.finishLine()
      },
      turnEnded: () => {},
      runs: (command) => view.ownCommand(command !== null),
      used: () => {},
      indexing: IndexText.sentences((text) => (isWorking ? view.interject(text) : mention(text))),
      showHeld: (waiting) => {
        const last = waiting.at(-1)
        if (last !== undefined && waiting.length > waitingInputs.length) view.interject(`  queued: ${textOf(last)}`)
        else if (waitingInputs.length > 0) output.note(`› ${textOf(waitingInputs[0])}`)
        waitingInputs = [...waiting]
      }
    },
    note: output.note,
    mention,
    commandsKnown: () => {},
    modeChanged: () => {},
    renamed: () => {},
    copy: () => false,
    theme: null,
    returnQueued: () => false,
    fail: (stop) => ErrorLine.print(program, stop),
    list,
    said: (input, isSteering, isElsewhere) => {
      if (isSteering) view.interject(`  sent with the next step: ${textOf(input)}`)
      // The terminal already shows the user's own input. Input from another process is shown here.
      else if (isElsewhere) output.note(`› ${textOf(input)}`)
    },
    opened: (opened) =>
      Effect.gen(function* () {
        if (!terminal.isInteractive) return
        if (!isGreeted) greet(program, settings, opened)
        isGreeted = true
        // The prompt does not show the mode.
        if (opened.isNew && mode.now() !== "auto") output.note(SessionMode.describe(mode.now()))
        if (opened.isNew) print(LastTurn.rows(yield* loadEntries.loadEntries(ports.store, opened.session.sessionId)))
      }),
    next: Effect.gen(function* () {
      const input =
        Option.getOrNull(yield* Queue.poll(typed)) ?? (yield* prompts.next(program, customCommands, startedPrompt))
      for (const line of later.splice(0)) output.note(line)
      return input
    }),
    inputsWhileWorking: Effect.as(
      terminal.whileWorking({
        onInterrupt: () => signals.interrupt("SIGINT"),
        onLine: (text) => {
          const input = prompts.readUserInput(text, customCommands)
          if (input?._tag === "Refused") view.interject(input.reason)
          else if (input !== null) Queue.offerUnsafe(typed, input)
        }
      }),
      typed
    )
  }
}

const greet = (
  { name, output, environment, version }: Program,
  { workspace: { root: workspaceRoot } }: Settings,
  { model, session }: OpenedSession
): void => {
  const folder = Home.displayPath(workspaceRoot, environment.home)
  const facts = [`${name} ${version}`, model.name, folder, `session ${session.sessionId}`].map((part) =>
    Escape.line(part)
  )
  const keys = text`/help for commands · Ctrl-C interrupts · Ctrl-C twice quits`
  const columns = output.columns()
  for (const row of [...Layout.join(facts, text` · `, columns), ...Layout.sentence(keys, columns)]) {
    output.noteEscaped(output.style.dim(row))
  }
}
