/** The work of a process that owns a tree of the storm: it continues the newest session, or creates it. */
import { SessionPack } from "@bough/pack-session"
import { Agent, Channel, Model, Session, SessionStore } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import { Invocation, SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { appendFileSync } from "node:fs"
import * as Plan from "./plan.ts"

export interface Order {
  readonly home: string
  /** A line for each effect: the call's key. */
  readonly effects: string
  readonly seed: number
  /** A user is attached, and decides nothing. */
  readonly attended: boolean
}

/** `effects`: the file of the lines. */
const launch = (effects: string) =>
  Tool.make("launch", {
    version: 1,
    description: "Appends a line to a file; a repeated call appends another",
    tier: "Elevated",
    replay: "Unsafe",
    capabilities: [],
    parameters: Schema.Struct({ name: Schema.String }),
    output: Schema.Struct({}),
    execute: Effect.fnUntraced(function* () {
      const { callKey } = yield* Invocation.Invocation
      yield* Effect.sleep(2)
      yield* Effect.sync(() => appendFileSync(effects, `${callKey}\n`))
      yield* Effect.sleep(2)
      return Tool.result({ output: {}, display: "launched" })
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

const modelOf = (nodes: ReadonlyArray<Plan.Node>): Model.Model["Service"] => ({
  name: "test/storm",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const texts = new Set(messages.flatMap((message) => (message._tag === "User" ? [message.text] : [])))
    const node = nodes.findLast(({ task }) => texts.has(task))
    if (node === undefined) return Stream.die(new Error("this session has no task"))
    const replyCount = messages.filter(({ _tag }) => _tag === "Assistant").length
    const calls =
      replyCount === 0
        ? callsOf(node)
        : replyCount === 1 && node.children.length > 0
          ? [{ name: "wait_for_sessions", arguments: {} }]
          : []
    const parts = calls.flatMap((call, index): ReadonlyArray<Model.ModelPart> => {
      const callId = `${node.task} ${replyCount} ${index}`
      return [
        { _tag: "ToolCallStart", callId, name: call.name },
        { _tag: "ToolCallArguments", callId, text: JSON.stringify(call.arguments) }
      ]
    })
    const words = calls.length === 0 ? [{ _tag: "Text", text: "done" } as const] : []
    const reason = calls.length === 0 ? "stop" : "toolCalls"
    return Stream.fromIterable<Model.ModelPart>([...words, ...parts, { _tag: "End", reason, ...usage }])
  }
})

const agentsOf = (effects: string) => {
  const pack = ToolPack.merge(ToolPack.make(launch(effects)), SessionPack.all)
  const tools = {
    Main: SessionKind.Main.tools(pack),
    Branch: SessionKind.Branch.tools(pack),
    Worker: SessionKind.Worker.tools(errands)
  }
  return (kind: keyof typeof tools): Agent.Agent =>
    SampleAgent.make(tools[kind], {
      limits: { ...Agent.defaultLimits, approvalGraceMillis: 20, maxAsks: 50, wrapUpMillis: 50 }
    })
}

/** Ends when all remaining work needs a decision. `isLeaving`: the process was told to end. */
export const work = ({ attended, effects, seed }: Order, isLeaving: () => boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const [known] = yield* store.list({ workspaceRoot: null, limit: 1 })
      const plan = Plan.plan(seed)
      const agentOf = agentsOf(effects)
      const session = yield* Session.open({
        agent: agentOf("Main"),
        sessionId: known?.sessionId ?? null,
        childAgent: (kind) => Effect.succeed(agentOf(kind)),
        isLeaving
      }).pipe(
        Effect.provideService(Model.Model, modelOf(Plan.nodes(plan))),
        Effect.provideService(Channel.Channel, {
          name: "storm",
          ask: attended ? () => Effect.never : null,
          publish: () => Effect.void
        })
      )
      const resumed = yield* session.resume
      // A session may be stored without its task: the process before died between the two. The key sends the task once.
      if (resumed === null) yield* session.run({ text: plan.task, media: [] }, { key: "task" })
    })
  )
