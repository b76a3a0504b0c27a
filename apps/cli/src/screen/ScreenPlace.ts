/** The screen as the place of a conversation. */
import { BlobStore, type Channel, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { registryOf } from "../Agents.ts"
import * as AskedBy from "../command/AskedBy.ts"
import type { Settings } from "../config/Settings.ts"
import * as Entries from "../conversation/Entries.ts"
import type { Place } from "../conversation/Place.ts"
import * as Used from "../conversation/Used.ts"
import * as Wish from "../conversation/Wish.ts"
import { toStop } from "../Failures.ts"
import type { Program } from "../Program.ts"
import type { Stop } from "../Stop.ts"
import * as AskPerson from "../terminal/AskPerson.ts"
import type { Block } from "./Block.ts"
import * as Frame from "./Frame.ts"
import * as Replay from "./Replay.ts"
import type { Stage } from "./Stage.ts"
import * as View from "./View.ts"
import * as WholeOutput from "../conversation/WholeOutput.ts"

export interface Held {
  readonly program: Program
  readonly settings: Settings
  readonly stage: Stage
  readonly wishes: Queue.Queue<Wish.Wish>
}

export const make = Effect.fnUntraced(function* (held: Held) {
  const ports = { blobs: yield* BlobStore.BlobStore, store: yield* SessionStore.SessionStore }
  return placeOf(held, ports)
})

interface Ports {
  readonly blobs: BlobStore.BlobStore["Service"]
  readonly store: SessionStore.SessionStore["Service"]
}

const placeOf = (held: Held, ports: Ports): Place => {
  const { program, stage, wishes } = held
  const change = (to: (view: View.View) => View.View): void => stage.update((view) => ({ view: to(view), blocks: [] }))
  return {
    manner: "screen",
    channel: channelOf(held, ports),
    note: stage.note,
    mention: stage.note,
    fail: (stop) => stage.print([failure(stop, program.output.verbose)]),
    list: (entries) => stage.print([{ _tag: "Listing", entries }]),
    // What is chosen is the command's argument, and completed there.
    choose: ({ command, hint, now, options }) =>
      Effect.sync(() => {
        stage.print([{ _tag: "Listing", entries: [["now", now], ...options, ["", `${hint}; Tab completes it`]] }])
        stage.edit({ _tag: "ArgumentsKnown", command, options })
        return null
      }),
    said: (wish, isSteering) =>
      stage.print([{ _tag: "Said", text: Wish.textOf(wish), note: isSteering ? "for the next step" : "" }]),
    showHeld: (waiting) => change((view) => ({ ...view, followUps: waiting.map(Wish.textOf) })),
    begin: () => change((view) => View.started(view, Date.now())),
    stopping: () => change(View.stopping),
    finish: () => stage.update(View.finished),
    turnEnded: ({ millis, usage }) => stage.print([{ _tag: "Ended", text: `${Frame.elapsed(millis)} · ${usage}` }]),
    runs: (ownCommand) => change((view) => ({ ...view, ownCommand })),
    used: (used) => change((view) => ({ ...view, ...used })),
    indexing: (indexing) => change((view) => ({ ...view, indexing })),
    opened: ({ chosen, isNew, model, session: { sessionId } }) =>
      Effect.gen(function* () {
        const entries = yield* WholeOutput.ofEntries(yield* Entries.of(ports.store, sessionId), ports.blobs)
        const used = yield* Used.read(ports.store, sessionId).pipe(Effect.mapError(toStop))
        const { indexing } = stage.view()
        const empty = { ...View.make(sessionId, program.output.verbose), ...used, indexing }
        const { blocks, view } = Replay.replay(empty, entries)
        stage.update(() => ({ view, blocks: isNew ? blocks : [] }))
        stage.setModel({ ...model, effort: chosen.effort })
      }),
    next: Queue.take(wishes),
    meanwhile: Effect.succeed(wishes)
  }
}

const channelOf = ({ program, settings, stage }: Held, { blobs, store }: Ports): Channel.Channel["Service"] => {
  const { surroundings, workspaceRoot } = settings
  const registry = registryOf(program.packs)
  return {
    name: "terminal",
    readers: "owner",
    ask: (request) =>
      AskedBy.orNothing(store, request.sessionPath).pipe(
        Effect.flatMap((askedBy) =>
          stage.ask({ request, askedBy }, AskPerson.ruleFor({ registry, workspaceRoot }, request))
        ),
        Effect.map((decision) => ({ decision, principal: surroundings.user ?? "terminal" }))
      ),
    publish: (event) => Effect.map(WholeOutput.ofEvent(event, blobs), stage.show)
  }
}

/** A failure in one line, and what to do about it; with all there is to say on demand. */
const failure = ({ details, hint, message }: Stop, verbose: boolean): Block => ({
  _tag: "Note",
  tone: "error",
  text: hint === "" ? (message ?? "") : `${message ?? ""} — ${hint}`,
  ...(verbose && details !== "" ? { details } : {})
})
