/** The full-screen user interface of a conversation. */
import { offeredRule } from "@bough/host/approval/OfferedRule"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import type { Settings } from "@bough/host/config/Settings"
import { registryOf } from "@bough/host/session/KindTools"
import type * as SessionMode from "@bough/host/session/SessionMode"
import { Session } from "@bough/protocol"
import { BlobStore, type Channel, SessionStore } from "@bough/runtime"
import * as Picker from "@bough/tui/picker/Picker"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import type { CliFailure } from "../../CliFailure.ts"
import * as TurnText from "../../format/TurnText.ts"
import type { Program } from "../../Program.ts"
import * as ThemeFiles from "../../themes/ThemeFiles.ts"
import type { ConversationUi, Dialogs, ProgressView } from "../conversation/ConversationUi.ts"
import * as CustomCommands from "../conversation/CustomCommands.ts"
import * as fullOutput from "../conversation/fullOutput.ts"
import * as loadEntries from "../conversation/loadEntries.ts"
import * as SlashCommands from "../conversation/SlashCommands.ts"
import * as UserInput from "../conversation/UserInput.ts"
import type { Block } from "./Block.ts"
import * as ChildMessage from "./ChildMessage.ts"
import { principalOf } from "./principalOf.ts"
import * as ShownSession from "./ShownSession.ts"
import type { SessionPorts } from "./ShownSession.ts"
import * as Transcript from "./Transcript.ts"
import type { TuiApp } from "./TuiApp.ts"
import * as TurnEnd from "./TurnEnd.ts"

export interface TuiUiOptions {
  readonly program: Program
  readonly settings: Settings
  readonly app: TuiApp
  readonly mode: SessionMode.SessionMode
  readonly inputs: Queue.Queue<UserInput.UserInput>
}

export const make = Effect.fnUntraced(function* (options: TuiUiOptions) {
  const ports = { blobs: yield* BlobStore.BlobStore, store: yield* SessionStore.SessionStore }
  const { app, settings } = options
  app.access({
    read: (sessionId) => Effect.runPromise(readEntries(ports, sessionId)),
    send: (sessionId, text) =>
      void Effect.runFork(ChildMessage.send({ app, settings, store: ports.store }, { sessionId, text }))
  })
  return uiOf(options, ports)
})

/** The entries of a session with their full output; none if they cannot be read. */
const readEntries = ({ blobs, store }: SessionPorts, sessionId: string) =>
  loadEntries.loadEntries(store, Session.SessionId.make(sessionId)).pipe(
    Effect.flatMap((entries) => fullOutput.forEntries(entries, blobs)),
    Effect.catch(() => Effect.succeed([]))
  )

const uiOf = (options: TuiUiOptions, ports: SessionPorts): ConversationUi => {
  const { app, inputs, mode, program, settings } = options
  return {
    kind: "screen",
    channel: channelOf(options, ports),
    dialogs: dialogsOf(options),
    progress: progressOf(app),
    session: {
      opened: (opened) => ShownSession.show({ app, mode, ports, program, settings }, opened),
      renamed: (title) => changeView(app, (view) => ({ ...view, title })),
      modeChanged: app.setMode,
      commandsKnown: (commands) => {
        const syntax = SlashCommands.syntaxWith([...CustomCommands.toCommands(settings), ...commands])
        app.edit({ _tag: "SyntaxChanged", syntax })
      }
    },
    input: {
      next: Queue.take(inputs),
      whileWorking: Effect.succeed(inputs),
      returnQueued: app.prepend
    },
    note: app.note,
    mention: app.note,
    copy: (text) => {
      app.copy(text)
      return true
    },
    fail: (failed) => app.print([failure(failed, program)]),
    list: (entries) => app.print([{ _tag: "Listing", entries }]),
    theme: (name) => Effect.map(ThemeFiles.load(settings.environment, name), app.setTheme),
    said: (input, isSteering) => {
      const messageText = UserInput.textOf(input)
      if (isSteering) return changeView(app, (view) => Transcript.addSteering(view, messageText))
      changeView(app, (view) => Transcript.removeSteering(view, messageText))
      app.print([{ _tag: "Said", text: messageText, note: "" }])
    }
  }
}

/** Changes the transcript without printing. */
const changeView = (app: TuiApp, change: (view: Transcript.Transcript) => Transcript.Transcript): void =>
  app.update((view) => ({ view: change(view), blocks: [] }))

const dialogsOf = ({ app, program }: TuiUiOptions): Dialogs => {
  const oneForm = Semaphore.makeUnsafe(1)
  return {
    elicit: (request) =>
      oneForm.withPermit(app.withoutScreen(Effect.flatMap(askForm, ({ ask }) => ask(program, request)))),
    pick: app.pick,
    // The options are also completed as arguments of the command.
    choose: ({ command, hint, shownFirst, now, options }) =>
      Effect.suspend(() => {
        app.edit({ _tag: "ArgumentsKnown", command, options })
        const items = options.map(([id, text]) =>
          Picker.item(id, shownFirst === "name" ? { detail: text } : { label: text, words: id })
        )
        return app.pick({ title: `/${command}: ${hint}`, verb: "chooses", items, current: now })
      }),
    readHidden: app.readHidden,
    withoutScreen: app.withoutScreen
  }
}

const progressOf = (app: TuiApp): ProgressView => ({
  begin: () => changeView(app, (view) => Transcript.startTurn(view, Date.now())),
  stopping: () => changeView(app, Transcript.markStopping),
  finish: () => app.update(Transcript.finishTurn),
  turnEnded: (millis) => {
    app.print([TurnEnd.block(app.view())])
    if (millis >= longTurnMillis) app.notify(text`finished`)
  },
  runs: (command) =>
    changeView(app, (view) => ({ ...view, userCommand: command === null ? null : { text: command, progress: [] } })),
  used: (usage) => changeView(app, (view) => ({ ...view, usage })),
  indexing: (indexing) => changeView(app, (view) => ({ ...view, indexing })),
  showHeld: (waiting) =>
    changeView(app, (view) => ({ ...view, queued: { ...view.queued, followUps: waiting.map(UserInput.textOf) } }))
})

// Loaded when a server asks for the first time.
const askForm = Effect.promise(() => import("../plain/AskForm.ts"))

/** The duration below which the user counts as still present. */
const longTurnMillis = 10_000

const channelOf = (
  { program, settings, app }: TuiUiOptions,
  { blobs, store }: SessionPorts
): Channel.Channel["Service"] => {
  const workspaceRoot = settings.workspace.root
  const registry = registryOf(program.packs)
  return {
    name: "terminal",
    readers: "owner",
    ask: (request) =>
      RequestingSessions.loadOrEmpty(store, request.sessionPath).pipe(
        Effect.flatMap((askedBy) => app.ask({ request, askedBy }, offeredRule({ registry, workspaceRoot }, request))),
        Effect.map((decision) => ({ decision, principal: principalOf(settings) }))
      ),
    publish: (event) => Effect.map(fullOutput.forEvent(event, blobs), app.show)
  }
}

/** Formats a failure in one line with its hint; the details are shown on demand. */
const failure = ({ details, hint, message }: CliFailure, { name, output }: Program): Block => ({
  _tag: "Note",
  tone: "error",
  text: TurnText.failure({ message, hint }, name),
  ...(output.verbose && details !== "" ? { details } : {})
})
