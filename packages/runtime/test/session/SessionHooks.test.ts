/** Tests of a session whose hooks cannot be run: the guarded calls are not made, and the session continues. */
import type { Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore, type Hooks } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const silent: Hooks.Hooks = {
  beforeTool: () => null,
  afterTool: () => null,
  prompt: () => null,
  stop: () => null,
  sessionStart: () => null
}

const raise = (): never => {
  throw new Error("boom")
}
const ways: ReadonlyArray<readonly [name: string, ask: () => Effect.Effect<never>]> = [
  ["die", () => Effect.die(new Error("boom"))],
  ["throw", raise],
  ["answer nothing", () => Effect.succeed(undefined as never)]
]

/** Sends two messages to a session with these hooks; they fail for as long as `isBroken` says. */
const play = (hooks: Partial<Hooks.Hooks>, repair: () => void) =>
  Effect.gen(function* () {
    const events: Array<Event.Event> = []
    const scripted = yield* ScriptedModel.make([Reply.text("one"), Reply.text("two")])
    const session = yield* World.openSession({
      agent: World.agentOf(World.makeWorld(), { hooks: { ...silent, ...hooks } }),
      scripted,
      channel: World.channelOf(events, null)
    })
    const first = yield* session.run(World.say("first"))
    repair()
    const second = yield* session.run(World.say("second"))
    const store = yield* SessionStore.SessionStore
    const waiting = yield* store.inbox(session.sessionId)
    const notices = events.flatMap((event) => (event._tag === "Notice" ? [event.message] : []))
    return { first, second, waiting, notices }
  }).pipe(Effect.scoped, Effect.provide(World.stores))

describe("Hooks that", () => {
  for (const [name, broken] of ways) {
    for (const event of ["prompt", "sessionStart"] as const) {
      it.effect(`${name} at ${event} reject the message, and the next one is answered`, () =>
        Effect.gen(function* () {
          let isBroken = true
          const hooks = { [event]: () => (isBroken ? broken() : null) }
          const { first, notices, second, waiting } = yield* play(hooks, () => (isBroken = false))
          assert.notStrictEqual(first.text, "one")
          assert.deepStrictEqual([second.status, second.text], ["completed", "one"])
          assert.isEmpty(waiting)
          assert.match(notices.join("\n"), /message rejected: its hooks could not run: /u)
        })
      )
    }

    it.effect(`${name} at stop let the turn end, and that is reported`, () =>
      Effect.gen(function* () {
        const { first, notices, second } = yield* play({ stop: broken }, () => undefined)
        assert.deepStrictEqual([first.status, first.text, second.text], ["completed", "one", "two"])
        assert.match(notices.join("\n"), /at its end its hooks could not run: /u)
      })
    )
  }
})
