/** A process that owns a tree of the storm: it goes on with what the newest session left, or begins it, and ends as signals say. */
import { SessionPack } from "@bough/pack-session"
import { Agent, Channel, Model, Session, SessionStore, type Tree } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sql"
import * as SampleAgent from "@bough/testing/SampleAgent"
import { Invocation, SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { appendFileSync } from "node:fs"
import * as Plan from "./plan.ts"

export interface Order {
  readonly home: string
  /** A line for each effect: the call's key. */
  readonly effects: string
  readonly seed: number
  /** A person is there, and answers nothing. */
  readonly attended: boolean
}

const order = JSON.parse(process.argv[2]) as Order
const nodes = Plan.nodes(Plan.plan(order.seed))

const acting = (name: string) =>
  Tool.make(name, {
    version: 1,
    description: "Leaves a line outside; twice is twice",
    tier: "Elevated",
    replay: "Unsafe",
    capabilities: [],
    parameters: Schema.Struct({ name: Schema.String }),
    output: Schema.Struct({}),
    execute: Effect.fnUntraced(function* () {
      const { callKey } = yield* Invocation.Invocation
      yield* Effect.sleep(2)
      yield* Effect.sync(() => appendFileSync(order.effects, `${callKey}\n`))
      yield* Effect.sleep(2)
      return Tool.result({ output: {}, display: name })
    })
  })

const look = Tool.make("look", {
  version: 1,
  description: "Looks around",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () => Effect.as(Effect.sleep(3), Tool.result({ output: {}, display: "looked" }))
})

const pack = ToolPack.merge(ToolPack.make(acting("launch")), SessionPack.all)
const errands = ToolPack.make(look)

const callsOf = (node: Plan.Node) => [
  ...(node.kind === "Worker" ? [{ name: "look", arguments: {} }] : []),
  ...node.children.map(({ kind, task }) => ({
    name: kind === "Worker" ? "spawn_worker" : "spawn_branch",
    arguments: { task } as object
  })),
  ...Array.from({ length: node.launches }, (_, index) => ({ name: "launch", arguments: { name: `${index}` } }))
]

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0 }

const model: Model.Model["Service"] = {
  name: "test/storm",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const told = new Set(messages.flatMap((message) => (message._tag === "User" ? [message.text] : [])))
    const node = nodes.findLast(({ task }) => told.has(task))
    if (node === undefined) return Stream.die(new Error("nobody told this session what to do"))
    const said = messages.filter(({ _tag }) => _tag === "Assistant").length
    const calls =
      said === 0
        ? callsOf(node)
        : said === 1 && node.children.length > 0
          ? [{ name: "wait_for_sessions", arguments: {} }]
          : []
    const parts = calls.flatMap((call, index): ReadonlyArray<Model.ModelPart> => {
      const callId = `${node.task} ${said} ${index}`
      return [
        { _tag: "ToolCallStart", callId, name: call.name },
        { _tag: "ToolCallArguments", callId, text: JSON.stringify(call.arguments) }
      ]
    })
    const words = calls.length === 0 ? [{ _tag: "Text", text: "done" } as const] : []
    const reason = calls.length === 0 ? "stop" : "toolCalls"
    return Stream.fromIterable<Model.ModelPart>([...words, ...parts, { _tag: "End", reason, ...usage }])
  }
}

let leaving = false

const toolsOf = {
  Main: SessionKind.Main.tools(pack),
  Branch: SessionKind.Branch.tools(pack),
  Worker: SessionKind.Worker.tools(errands)
}

const agentOf = (kind: "Main" | "Branch" | "Worker"): Agent.Agent =>
  SampleAgent.make(toolsOf[kind], {
    limits: { ...Agent.defaultLimits, approvalGraceMillis: 20, maxAsks: 50, wrapUpMillis: 50 }
  })

const childAgent: Tree.ChildAgent = (kind) => Effect.succeed(agentOf(kind))

const work = Effect.scoped(
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const [known] = yield* store.list({ workspaceRoot: null, limit: 1 })
    const session = yield* Session.open({
      agent: agentOf("Main"),
      sessionId: known?.sessionId ?? null,
      childAgent,
      isLeaving: () => leaving
    }).pipe(
      Effect.provideService(Model.Model, model),
      Effect.provideService(Channel.Channel, {
        name: "storm",
        ask: order.attended ? () => Effect.never : null,
        publish: () => Effect.void
      })
    )
    const resumed = yield* session.resume
    if (resumed !== null) return
    const entries = yield* store.entries(session.sessionId, 0, 1)
    if (entries.length === 0) yield* session.run({ text: nodes[0].task, media: [] })
  })
)

const running = Effect.runFork(Effect.scoped(Effect.provide(work, SessionStoreSql.layer({ directory: order.home }))))
running.addObserver((exit) => {
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause))
    process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
})
const stop = () => void Effect.runFork(Fiber.interrupt(running))
process.on("SIGTERM", () => {
  leaving = true
  stop()
})
process.on("SIGINT", stop)
