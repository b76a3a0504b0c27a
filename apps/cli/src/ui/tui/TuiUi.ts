/** The full-screen user interface of a conversation. */
import { offeredRule } from "@bough/host/approval/OfferedRule"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import type { Settings } from "@bough/host/config/Settings"
import { registryOf, rolesOf } from "@bough/host/session/KindTools"
import type * as SessionMode from "@bough/host/session/SessionMode"
import { Session } from "@bough/protocol"
import { BlobStore, type Channel, SessionStore } from "@bough/runtime"
import * as Picker from "@bough/tui/picker/Picker"
import { text } from "@bough/tui/text/SafeText"
import { RepositoryState } from "@bough/workspace"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import { randomUUID } from "node:crypto"
import { basename } from "node:path"
import type { CliFailure } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import * as TurnText from "../../format/TurnText.ts"
import type { Program } from "../../Program.ts"
import * as ThemeFiles from "../../themes/ThemeFiles.ts"
import type { ConversationUi } from "../conversation/ConversationUi.ts"
import * as CustomCommands from "../conversation/CustomCommands.ts"
import * as fullOutput from "../conversation/fullOutput.ts"
import * as loadEntries from "../conversation/loadEntries.ts"
import * as SessionUsage from "../conversation/SessionUsage.ts"
import * as SlashCommands from "../conversation/SlashCommands.ts"
import * as UserInput from "../conversation/UserInput.ts"
import type { Block } from "./Block.ts"
import * as KnownArguments from "./KnownArguments.ts"
import * as Replay from "./Replay.ts"
import * as Transcript from "./Transcript.ts"
import type { TuiApp } from "./TuiApp.ts"
import * as TurnEnd from "./TurnEnd.ts"

export interface HeldEvents {
  readonly program: Program
  readonly settings: Settings
  readonly stage: TuiApp
  readonly mode: SessionMode.SessionMode
  readonly inputs: Queue.Queue<UserInput.UserInput>
}

export const make = Effect.fnUntraced(function* (events: HeldEvents) {
  const ports = { blobs: yield* BlobStore.BlobStore, store: yield* SessionStore.SessionStore }
  events.stage.access({
    read: (sessionId) => Effect.runPromise(readEntries(ports, sessionId)),
    send: (sessionId, text) => void Effect.runFork(sendToChild(events, ports, { sessionId, text }))
  })
  return uiOf(events, ports)
})

/** The entries of a session with their full output; none if they cannot be read. */
const readEntries = ({ blobs, store }: Ports, sessionId: string) =>
  loadEntries.loadEntries(store, Session.SessionId.make(sessionId)).pipe(
    Effect.flatMap((entries) => fullOutput.forEntries(entries, blobs)),
    Effect.catch(() => Effect.succeed([]))
  )

interface ChildMessage {
  readonly sessionId: string
  /** Null: the child should stop. */
  readonly text: string | null
}

/**
 * Puts a message, or a cancellation, into the inbox of the tree. The owner of the tree, which may be this process,
 * takes it from there.
 */
const sendToChild = ({ settings, stage }: HeldEvents, { store }: Ports, { sessionId, text }: ChildMessage) =>
  Effect.gen(function* () {
    const child = yield* store.session(sessionId)
    if (child.state !== "Active" && child.state !== "Suspended") {
      return stage.note(text === null ? "the agent has ended" : `the agent has ended; not sent: ${text}`, "error")
    }
    const command =
      text === null
        ? ({ _tag: "CancelSession", sessionId: child.sessionId, reason: "stopped by the user" } as const)
        : ({ _tag: "SteerSession", sessionId: child.sessionId, text } as const)
    const principal = principalOf(settings)
    const dedupeKey = `child:${randomUUID()}`
    yield* store.submit({ treeId: child.treeId, command, principal, dedupeKey })
  }).pipe(Effect.catch((error) => Effect.sync(() => stage.note(`cannot reach the agent: ${error.message}`, "error"))))

interface Ports {
  readonly blobs: BlobStore.BlobStore["Service"]
  readonly store: SessionStore.SessionStore["Service"]
}

const uiOf = (events: HeldEvents, ports: Ports): ConversationUi => {
  const { program, stage, inputs } = events
  const oneForm = Semaphore.makeUnsafe(1)
  const change = (to: (view: Transcript.Transcript) => Transcript.Transcript): void =>
    stage.update((view) => ({ view: to(view), blocks: [] }))
  return {
    kind: "screen",
    channel: channelOf(events, ports),
    dialogs: {
      elicit: (request) =>
        oneForm.withPermit(stage.withoutScreen(Effect.flatMap(askForm, ({ ask }) => ask(program, request)))),
      pick: stage.pick,
      // The options are also completed as arguments of the command.
      choose: ({ command, hint, knownBy, now, options }) =>
        Effect.suspend(() => {
          stage.edit({ _tag: "ArgumentsKnown", command, options })
          const items = options.map(([id, text]) =>
            Picker.item(id, knownBy === "name" ? { detail: text } : { label: text, words: id })
          )
          return stage.pick({ title: `/${command}: ${hint}`, verb: "chooses", items, current: now })
        }),
      readHidden: stage.readHidden,
      withoutScreen: stage.withoutScreen
    },
    progress: {
      begin: () => change((view) => Transcript.startTurn(view, Date.now())),
      stopping: () => change(Transcript.markStopping),
      finish: () => stage.update(Transcript.finishTurn),
      turnEnded: (millis) => {
        stage.print([TurnEnd.block(stage.view())])
        if (millis >= longTurnMillis) stage.notify(text`finished`)
      },
      runs: (command) =>
        change((view) => ({ ...view, userCommand: command === null ? null : { text: command, progress: [] } })),
      used: (usage) => change((view) => ({ ...view, usage })),
      indexing: (indexing) => change((view) => ({ ...view, indexing })),
      showHeld: (waiting) =>
        change((view) => ({ ...view, queued: { ...view.queued, followUps: waiting.map(UserInput.textOf) } }))
    },
    note: stage.note,
    mention: stage.note,
    commandsKnown: (commands) => {
      const customCommands = CustomCommands.toCommands(events.settings)
      stage.edit({ _tag: "SyntaxChanged", syntax: SlashCommands.syntaxWith([...customCommands, ...commands]) })
    },
    modeChanged: stage.setMode,
    renamed: (title) => change((view) => ({ ...view, title })),
    copy: (text) => {
      stage.copy(text)
      return true
    },
    returnQueued: stage.prepend,
    fail: (stop) => stage.print([failure(stop, program)]),
    list: (entries) => stage.print([{ _tag: "Listing", entries }]),
    theme: (name) => Effect.map(ThemeFiles.load(events.settings.environment, name), (choice) => stage.setTheme(choice)),
    said: (input, isSteering) => {
      const messageText = UserInput.textOf(input)
      if (isSteering)
        return change((view) => ({
          ...view,
          queued: { ...view.queued, steering: [...view.queued.steering, messageText] }
        }))
      change((view) => Transcript.removeSteering(view, messageText))
      stage.print([{ _tag: "Said", text: messageText, note: "" }])
    },
    opened: ({ chosen, isNew, model, session: { sessionId } }) =>
      Effect.gen(function* () {
        const entries = yield* fullOutput.forEntries(
          yield* loadEntries.loadEntries(ports.store, sessionId),
          ports.blobs
        )
        const before = stage.view()
        const { indexing } = before
        const untitled = Transcript.make(sessionId, program.output.verbose, rolesOf(program.packs))
        const empty: Transcript.Transcript = {
          ...untitled,
          usage: yield* SessionUsage.read(ports.store, sessionId).pipe(Effect.mapError(toCliFailure)),
          title: yield* titleOf(ports.store, sessionId),
          reader: { ...untitled.reader, user: principalOf(events.settings) },
          indexing
        }
        const { blocks, view } = Replay.replay(empty, entries, program.name)
        // The entries of this session do not include the commands of its descendants.
        const commands = before.sessionId === sessionId ? before.commands : view.commands
        stage.update(() => ({ view: { ...view, commands }, blocks: isNew ? blocks : [] }))
        stage.setModel({
          ...model,
          effort: chosen.effort,
          folder: basename(events.settings.workspace.root),
          branch: RepositoryState.branchOf(events.settings.workspace.root)
        })
        stage.setMode(events.mode.now())
        for (const [command, options] of KnownArguments.initial(program, events.settings, model.name)) {
          stage.edit({ _tag: "ArgumentsKnown", command, options })
        }
      }),
    next: Queue.take(inputs),
    inputsWhileWorking: Effect.succeed(inputs)
  }
}

// Loaded when a server asks for the first time.
const askForm = Effect.promise(() => import("../plain/AskForm.ts"))

/** Returns the stored title of a session; "" if the session is not stored. */
const titleOf = (store: Ports["store"], sessionId: Session.SessionId) =>
  store.session(sessionId).pipe(
    Effect.map(({ title }) => title),
    Effect.catchTag("SessionNotFound", () => Effect.succeed("")),
    Effect.mapError(toCliFailure)
  )

/** The name under which the user's decisions and messages are recorded. */
const principalOf = ({ environment }: Settings): string => environment.user ?? "terminal"

/** The duration below which the user counts as still present. */
const longTurnMillis = 10_000

const channelOf = ({ program, settings, stage }: HeldEvents, { blobs, store }: Ports): Channel.Channel["Service"] => {
  const workspaceRoot = settings.workspace.root
  const registry = registryOf(program.packs)
  return {
    name: "terminal",
    readers: "owner",
    ask: (request) =>
      RequestingSessions.loadOrEmpty(store, request.sessionPath).pipe(
        Effect.flatMap((askedBy) => stage.ask({ request, askedBy }, offeredRule({ registry, workspaceRoot }, request))),
        Effect.map((decision) => ({ decision, principal: principalOf(settings) }))
      ),
    publish: (event) => Effect.map(fullOutput.forEvent(event, blobs), stage.show)
  }
}

/** Formats a failure in one line with its hint; the details are shown on demand. */
const failure = ({ details, hint, message }: CliFailure, { name, output }: Program): Block => ({
  _tag: "Note",
  tone: "error",
  text: TurnText.failure({ message, hint }, name),
  ...(output.verbose && details !== "" ? { details } : {})
})
