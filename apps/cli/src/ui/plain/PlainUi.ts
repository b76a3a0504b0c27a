/**
 * Plain lines as the UI of a conversation: reads typed lines at the prompt and during work, and writes everything else to
 * stderr.
 */
import * as Home from "@bough/host/config/Home"
import type { Settings } from "@bough/host/config/Settings"
import * as SessionMode from "@bough/host/session/SessionMode"
import { BlobStore, SessionStore } from "@bough/runtime"
import type { SlashCommand } from "@bough/tui/editor/InputSyntax"
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
import type { ConversationUi, Dialogs, InputSource, ProgressView, SessionView } from "../conversation/ConversationUi.ts"
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

const uiOf = (program: Program, settings: Settings, parts: Parts): ConversationUi => {
  const { channel, ports, view } = parts
  const { output } = program
  const notes = delayedNotes(program)
  const customCommands = CustomCommands.toCommands(settings)
  return {
    kind: "lines",
    // Output that is truncated for the model is shown in full to the user who ran the command.
    channel: { ...channel, publish: (event) => Effect.map(fullOutput.forEvent(event, ports.blobs), view.show) },
    dialogs: dialogsOf(program, channel),
    progress: progressOf(program, view, notes),
    session: sessionViewOf(program, settings, parts),
    input: inputOf(program, customCommands, { ...parts, notes }),
    note: output.note,
    mention: notes.add,
    copy: () => false,
    theme: null,
    fail: (failure) => ErrorLine.print(program, failure),
    list: (listing) => printListing(program, listing),
    said: (input, isSteering, isElsewhere) => {
      if (isSteering) view.interject(`  sent with the next step: ${textOf(input)}`)
      // The terminal already shows the user's own input. Input from another process is shown here.
      else if (isElsewhere) output.note(`› ${textOf(input)}`)
    }
  }
}

const print = ({ output }: Program, rows: ReadonlyArray<SafeText>): void =>
  rows.forEach((row) => output.noteEscaped(row))

const printListing = (program: Program, listing: Listing): void =>
  print(program, ListText.rows(listing, program.output.columns()))

/** Notes that arrive while the user types at the prompt, which are printed after the line. */
interface DelayedNotes {
  readonly add: (text: string) => void
  readonly flush: () => void
}

const delayedNotes = ({ output, terminal }: Program): DelayedNotes => {
  const waiting: Array<string> = []
  return {
    add: (text) => (terminal.isInteractive ? void waiting.push(text) : output.note(text)),
    flush: () => waiting.splice(0).forEach((line) => output.note(line))
  }
}

const dialogsOf = (program: Program, channel: TerminalChannel.TerminalChannel): Dialogs => ({
  elicit: channel.elicit,
  pick: () => Effect.succeed(null),
  choose: (choice) => prompts.choose(program, choice, (listing) => printListing(program, listing)),
  readHidden: program.terminal.readHidden,
  withoutScreen: (work) =>
    Effect.suspend(() => {
      program.terminal.close()
      return work
    })
})

const progressOf = (
  { output }: Program,
  view: ConversationView.ConversationView,
  notes: DelayedNotes
): ProgressView => {
  let queuedInputs: ReadonlyArray<UserInput> = []
  let isWorking = false
  return {
    begin: () => void (isWorking = true),
    stopping: () => {},
    finish: () => {
      isWorking = false
      view.finishLine()
    },
    turnEnded: () => {},
    runs: (command) => view.ownCommand(command !== null),
    used: () => {},
    indexing: IndexText.sentences((text) => (isWorking ? view.interject(text) : notes.add(text))),
    showHeld: (held) => {
      const newest = held.at(-1)
      if (newest !== undefined && held.length > queuedInputs.length) view.interject(`  queued: ${textOf(newest)}`)
      else if (queuedInputs.length > 0) output.note(`› ${textOf(queuedInputs[0])}`)
      queuedInputs = [...held]
    }
  }
}

const sessionViewOf = (program: Program, settings: Settings, { mode, ports }: Parts): SessionView => {
  const { output, terminal } = program
  let isGreeted = false
  return {
    opened: Effect.fnUntraced(function* (opened) {
      if (!terminal.isInteractive) return
      if (!isGreeted) greet(program, settings, opened)
      isGreeted = true
      // The prompt does not show the mode.
      if (opened.isNew && mode.now() !== "auto") output.note(SessionMode.describe(mode.now()))
      if (!opened.isNew) return
      print(program, LastTurn.rows(yield* loadEntries.loadEntries(ports.store, opened.session.sessionId)))
    }),
    commandsKnown: () => {},
    modeChanged: () => {},
    renamed: () => {}
  }
}

const inputOf = (
  program: Program,
  customCommands: ReadonlyArray<SlashCommand>,
  { notes, typed, view }: Pick<Parts, "typed" | "view"> & { readonly notes: DelayedNotes }
): InputSource => {
  const { signals, terminal } = program
  const startedPrompt: prompts.StartedPrompt = { lines: "" }
  return {
    next: Effect.gen(function* () {
      const input =
        Option.getOrNull(yield* Queue.poll(typed)) ?? (yield* prompts.next(program, customCommands, startedPrompt))
      notes.flush()
      return input
    }),
    whileWorking: Effect.as(
      terminal.whileWorking({
        onInterrupt: () => signals.interrupt("SIGINT"),
        onLine: (text) => {
          const input = prompts.readUserInput(text, customCommands)
          if (input?._tag === "Refused") view.interject(input.reason)
          else if (input !== null) Queue.offerUnsafe(typed, input)
        }
      }),
      typed
    ),
    returnQueued: () => false
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
