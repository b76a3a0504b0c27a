/** A host over stores in memory, whose sessions act on a world. */
import { type Entry, type Event, type EventStream, Session as SessionIds } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Host, Model, SessionStore } from "../../src/index.ts"
import type * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as World from "../session/world.ts"

export interface Options extends Partial<Host.HostOptions> {
  readonly world?: World.World
  readonly model: Model.Model["Service"]
  readonly agent?: SampleAgent.SampleParts
}

/** A host in the caller's scope. */
export const make = Effect.fnUntraced(function* ({
  agent = {},
  model,
  world = World.makeWorld(),
  ...options
}: Options) {
  return yield* Host.make({
    serve: ({ user, workspaceRoot }) =>
      Effect.succeed({
        agent: World.agentOf(world, { user, ...agent, workspace: { root: workspaceRoot, ...agent.workspace } })
      }),
    channel: { name: "web" },
    ...options
  }).pipe(Effect.provideService(Model.Model, model))
})

export const facts = { name: "tester", user: "ada", workspaceRoot: "/nowhere" }

/** True if an event reports an entry of that kind. */
export const isRecorded =
  (tag: Entry.Body["_tag"]) =>
  (event: Event.Event): boolean =>
    event._tag === "Recorded" && event.entry.body._tag === tag

/** The first event that matches, of the log and the later ones. */
export const event = (
  host: Host.Host["Service"],
  sessionId: string,
  fits: (event: EventStream.PublishedItem["event"]) => boolean
) =>
  host.attach(sessionId, null).pipe(
    Stream.filter((item) => item._tag === "Published"),
    Stream.filter(({ event }) => fits(event)),
    Stream.runHead,
    Effect.map((found) => {
      if (found._tag === "None") throw new Error("the stream of events has ended")
      return found.value
    })
  )

/** Waits until the store has no work left and no decision is pending. */
export const until = <E, R>(look: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while (!(yield* look)) yield* nextTick
  })

/** Waits until all fibers that can run now have run. */
export const nextTick = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** The text of a session's last reply; null: its turn has not ended. */
export const answerOf = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const entries = yield* store.entries(SessionIds.SessionId.make(sessionId), 0, 10_000)
  const last = entries.at(-1)?.body
  if (last?._tag !== "ModelReplied" || last.parts.some(({ _tag }) => _tag === "ToolCall")) return null
  return last.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("")
})

/** A session's entries of one kind, as text. */
export const tagsOf = (sessionId: string) =>
  Effect.flatMap(SessionStore.SessionStore, (store) =>
    Effect.map(store.entries(SessionIds.SessionId.make(sessionId), 0, 10_000), (entries) =>
      entries.map(({ body }) => body._tag)
    )
  )

/** Runs the first effect until the second has ended. */
export const during = <A, E, R, B, E2, R2>(work: Effect.Effect<A, E, R>, body: Effect.Effect<B, E2, R2>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work, { startImmediately: true })
    const result = yield* body
    yield* Fiber.interrupt(fiber)
    return result
  })

/** A host of these stores for a test. */
export const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) =>
  Effect.scoped(body).pipe(Effect.provide(World.stores))
