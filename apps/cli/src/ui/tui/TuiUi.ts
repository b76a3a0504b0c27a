/** The screen as the place of a conversation. */
import type { Entry } from "@bough/protocol"
import * as SessionMode from "@bough/host/session/SessionMode"
import { BlobStore, type Channel, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { registryOf, rolesOf } from "@bough/host/session/KindTools"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import type { Settings } from "@bough/host/config/Settings"
import * as loadEntries from "../conversation/loadEntries.ts"
import type { ConversationUi } from "../conversation/ConversationUi.ts"
import { RepositoryState } from "@bough/workspace"
import * as SessionUsage from "../conversation/SessionUsage.ts"
import * as UserInput from "../conversation/UserInput.ts"
import { toCliFailure } from "../../Failures.ts"
import type { Program } from "../../Program.ts"
import { text } from "@bough/tui/text/SafeText"
import type { CliFailure } from "../../CliFailure.ts"
import { offeredRule } from "@bough/host/approval/OfferedRule"
import type { Block } from "./Block.ts"
import * as Frame from "./Frame.ts"
import * as Replay from "./Replay.ts"
import type { TuiApp } from "./TuiApp.ts"
import * as Transcript from "./Transcript.ts"
import * as fullOutput from "../conversation/fullOutput.ts"

export interface Held {
  readonly program: Program
  readonly settings: Settings
  readonly stage: TuiApp
  readonly mode: SessionMode.SessionMode
  readonly inputs: Queue.Queue<UserInput.UserInput>
}

export const make = Effect.fnUntraced(function* (held: Held) {
  const ports = { blobs: yield* BlobStore.BlobStore, store: yield* SessionStore.SessionStore }
  return placeOf(held, ports)
})

interface Ports {
  readonly blobs: BlobStore.BlobStore["Service"]
  readonly store: SessionStore.SessionStore["Service"]
}

const placeOf = (held: Held, ports: Ports): ConversationUi => {
  const { program, stage, inputs } = held
  const change = (to: (view: Transcript.Transcript) => Transcript.Transcript): void =>
    stage.update((view) => ({ view: to(view), blocks: [] }))
  return {
    manner: "screen",
    channel: channelOf(held, ports),
    note: stage.note,
    mention: stage.note,
    modeChanged: stage.setMode,
    copy: (text) => {
      stage.copy(text)
      return true
    },
    returnQueued: stage.prepend,
    fail: (stop) => stage.print([failure(stop, program.output.verbose)]),
    list: (entries) => stage.print([{ _tag: "Listing", entries }]),
    // What is chosen is the command's argument, and completed there.
    choose: ({ command, hint, now, options }) =>
      Effect.sync(() => {
        stage.print([{ _tag: "Listing", entries: [["now", now], ...options, ["", `${hint}; Tab completes it`]] }])
        stage.edit({ _tag: "ArgumentsKnown", command, options })
        return null
      }),
    said: (input, isSteering) =>
      stage.print([{ _tag: "Said", text: UserInput.textOf(input), note: isSteering ? "sent with the next step" : "" }]),
    showHeld: (waiting) => change((view) => ({ ...view, followUps: waiting.map(UserInput.textOf) })),
    begin: () => change((view) => Transcript.started(view, Date.now())),
    stopping: () => change(Transcript.stopping),
    finish: () => stage.update(Transcript.finished),
    turnEnded: ({ millis, usage }) => {
      stage.print([{ _tag: "Ended", text: `${Frame.elapsed(millis)} · ${usage}` }])
      if (millis >= longTurnMillis) stage.notify(text`finished`)
    },
    runs: (ownCommand) => change((view) => ({ ...view, ownCommand, ownProgress: "" })),
    used: (used) => change((view) => ({ ...view, ...used })),
    indexing: (indexing) => change((view) => ({ ...view, indexing })),
    opened: ({ chosen, isNew, model, session: { sessionId } }) =>
      Effect.gen(function* () {
        const entries = yield* fullOutput.ofEntries(yield* loadEntries.loadEntries(ports.store, sessionId), ports.blobs)
        const used = yield* SessionUsage.read(ports.store, sessionId).pipe(Effect.mapError(toCliFailure))
        const { indexing } = stage.view()
        const empty = {
          ...Transcript.make(sessionId, program.output.verbose, rolesOf(program.packs)),
          ...used,
          indexing
        }
        const { blocks, view } = Replay.replay(empty, entries)
        stage.update(() => ({ view, blocks: isNew ? blocks : [] }))
        stage.setModel({
          ...model,
          effort: chosen.effort,
          branch: RepositoryState.branchOf(held.settings.workspaceRoot)
        })
        if (isNew && entries.length > 0) held.mode.set(modeOf(entries))
        stage.setMode(held.mode.now())
      }),
    next: Queue.take(inputs),
    meanwhile: Effect.succeed(inputs)
  }
}

/** The user of a shorter turn is still there. */
const longTurnMillis = 10_000

/** The mode that the newest environment of the session names. */
const modeOf = (entries: ReadonlyArray<Entry.Entry>): SessionMode.Mode => {
  const named = entries.findLast(({ body }) => body._tag === "ContextAdded" && body.source === "environment")
  return named?.body._tag === "ContextAdded" ? SessionMode.modeIn(named.body.text) : "auto"
}

const channelOf = ({ program, settings, stage }: Held, { blobs, store }: Ports): Channel.Channel["Service"] => {
  const { environment, workspaceRoot } = settings
  const registry = registryOf(program.packs)
  return {
    name: "terminal",
    readers: "owner",
    ask: (request) =>
      RequestingSessions.loadOrEmpty(store, request.sessionPath).pipe(
        Effect.flatMap((askedBy) => stage.ask({ request, askedBy }, offeredRule({ registry, workspaceRoot }, request))),
        Effect.map((decision) => ({ decision, principal: environment.user ?? "terminal" }))
      ),
    publish: (event) => Effect.map(fullOutput.ofEvent(event, blobs), stage.show)
  }
}

/** A failure in one line, and what to do about it; with all there is to say on demand. */
const failure = ({ details, hint, message }: CliFailure, verbose: boolean): Block => ({
  _tag: "Note",
  tone: "error",
  text: hint === "" ? (message ?? "") : `${message ?? ""} — ${hint}`,
  ...(verbose && details !== "" ? { details } : {})
})
