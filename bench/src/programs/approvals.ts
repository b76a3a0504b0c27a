/**
 * One session asks for approvals, one after another, in each turn as many as a turn may; another connection to the same
 * file stores each decision, as another process would. Prints, for each, the milliseconds from the request to its
 * display, and from the stored decision to the start of the call. node approvals.ts DIRECTORY TURNS /
 */
import { Inbox } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { Tool, ToolPack } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { stdout } from "node:process"
import { check } from "../Check.ts"
import * as BenchAgent from "../session/BenchAgent.ts"
import * as CountingModel from "../session/CountingModel.ts"
import * as ManySessions from "../session/ManySessions.ts"
import * as Stores from "../session/Stores.ts"

export interface Approvals {
  readonly shownMillis: ReadonlyArray<number>
  readonly startedMillis: ReadonlyArray<number>
}

const [directory, turnsText] = process.argv.slice(2)
const turns = Number(turnsText)

const program = Effect.gen(function* () {
  const shownMillis: Array<number> = []
  const startedMillis: Array<number> = []
  let requestedAtMillis = 0
  let storedAtMillis = 0
  const tool = Tool.make("do_nothing", {
    version: 1,
    description: "Do nothing, gravely",
    tier: "Elevated",
    replay: "Unsafe",
    capabilities: [],
    parameters: Schema.Struct({ number: Schema.Int }),
    output: Schema.Struct({ number: Schema.Int }),
    preview: ({ number }) => Effect.succeed({ render: `do nothing, number ${number}`, preconditions: [] }),
    execute: ({ number }) =>
      Effect.sync(() => {
        startedMillis.push(performance.now() - storedAtMillis)
        return Tool.result({ output: { number }, display: "Did nothing" })
      })
  })
  const elsewhere = Context.get(yield* Layer.build(Stores.durable(directory)), SessionStore.SessionStore)
  const agent = BenchAgent.make("Main", ToolPack.make(tool))
  const asksPerTurn = agent.limits.maxAsks
  const session = yield* ManySessions.open({
    agent,
    model: CountingModel.make({ steps: asksPerTurn, branches: 0 }),
    channel: {
      name: "bench",
      publish: (event) =>
        Effect.sync(() => {
          if (event._tag === "Recorded" && event.entry.body._tag === "ModelReplied")
            requestedAtMillis = performance.now()
        }),
      ask: (request) =>
        Effect.sync(() => shownMillis.push(performance.now() - requestedAtMillis)).pipe(
          // At a random time between two polls of the file, as users decide.
          Effect.andThen(Effect.sleep(10 + ((shownMillis.length * 37) % 250))),
          Effect.andThen(
            elsewhere.submit(
              Inbox.toDecisionRow(request, { decision: { _tag: "Approved", rule: null }, principal: "ada" })
            )
          ),
          Effect.orDie,
          Effect.andThen(Effect.sync(() => (storedAtMillis = performance.now()))),
          Effect.andThen(Effect.never)
        )
    }
  })
  for (let turn = 0; turn < turns; turn++) yield* ManySessions.turn(session, CountingModel.work)
  const count = turns * asksPerTurn
  check(shownMillis.length === count, `${shownMillis.length} requests were shown, not ${count}`)
  check(startedMillis.length === count, `${startedMillis.length} calls started, not ${count}`)
  const approvals: Approvals = { shownMillis, startedMillis }
  stdout.write(JSON.stringify(approvals))
})

await program.pipe(Effect.scoped, Effect.provide(Stores.durable(directory)), Effect.orDie, Effect.runPromise)
