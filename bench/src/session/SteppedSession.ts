/** A session over given stores whose steps can be counted and timed. */
import { Channel, Model, Session, SessionStore } from "@bough/runtime"
import { ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import { check } from "../Check.ts"
import * as BenchAgent from "./BenchAgent.ts"
import * as NoOpTool from "./NoOpTool.ts"
import type { Stores } from "./Stores.ts"
import * as TickingModel from "./TickingModel.ts"

export interface Length {
  /** The number of entries that the session has before the clock starts. */
  readonly entries: number
  /** The number of steps that are timed. */
  readonly steps: number
}

/** Entries of one step: start, reply, end, and for an Unsafe call its intent. */
export const entriesPerStep = { Safe: 3, Unsafe: 4 } as const

/** Returns the milliseconds per step of a new session. */
export const millisPerStep = (stores: Stores, replay: "Safe" | "Unsafe", { entries, steps }: Length): Promise<number> =>
  Effect.gen(function* () {
    const noOp = NoOpTool.make(replay)
    const ticking = TickingModel.make()
    const agent = BenchAgent.make("Main", ToolPack.make(noOp.tool))
    const session = yield* Session.open({ agent, sessionId: null }).pipe(
      Effect.provideService(Model.Model, ticking.model),
      Effect.provideService(Channel.Channel, BenchAgent.quiet)
    )
    const turn = Effect.fnUntraced(function* (count: number) {
      ticking.script(count)
      const result = yield* session.run({ text: "Go on.", media: [] })
      check(result.status === "completed" && result.text === "done", `a turn ended ${result.status}: ${result.reason}`)
    })
    const steps0 = Math.ceil(entries / entriesPerStep[replay])
    if (steps0 > 0) yield* turn(steps0)
    yield* turn(steps)
    const store = yield* SessionStore.SessionStore
    const stored = yield* store.session(session.sessionId)
    check(noOp.calls() === steps0 + steps, `the tool ran ${noOp.calls()} times, not ${steps0 + steps}`)
    const least = (steps0 + steps) * entriesPerStep[replay]
    check(stored.entries > least && stored.entries < least + 10, `${stored.entries} entries, not about ${least}`)
    return ticking.millisPerStep()
  }).pipe(Effect.scoped, Effect.provide(stores), Effect.orDie, Effect.runPromise)
