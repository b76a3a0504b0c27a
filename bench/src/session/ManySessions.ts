/** Many sessions of one agent in one process, each opened and run to the end of a turn. */
import { Channel, Model, Session } from "@bough/runtime"
import type { Agent, Tree } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { check } from "../Check.ts"
import * as BenchAgent from "./BenchAgent.ts"

export interface Open {
  readonly agent: Agent.Agent
  readonly model: Model.Model["Service"]
  readonly childAgent?: Tree.ChildAgent
  readonly channel?: Channel.Channel["Service"]
}

/** Opens a new Main. */
export const open = ({ agent, channel, childAgent, model }: Open) =>
  Session.open({ agent, sessionId: null, ...(childAgent === undefined ? {} : { childAgent }) }).pipe(
    Effect.provideService(Model.Model, model),
    Effect.provideService(Channel.Channel, channel ?? BenchAgent.quiet)
  )

/** Runs one turn, which must succeed. */
export const turn = Effect.fnUntraced(function* (session: Session.Session, text: string) {
  const result = yield* session.run({ text, media: [] })
  check(result.status === "completed" && result.text === "done", `a turn ended ${result.status}: ${result.reason}`)
})
