/**
 * A chain of sessions, each started by its parent; the lowest makes an Elevated call whose effect is a line in a file,
 * named by the call's key. SQLite journal, session tools, and a model that answers by the content of its prompt. The
 * killed processes and their successors run it.
 */
import { SessionPack } from "@bough/pack-session"
import type { Approval } from "@bough/protocol"
import { type Agent, Channel, Model, Session, SessionStore, type Tree } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import { Invocation, SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { appendFileSync } from "node:fs"

/** How a user decides: asked on the channel of the process itself, or by a decision in its inbox. */
export type Decider = "channel" | "inbox"

export interface Chain {
  readonly home: string
  /** A line for each effect. */
  readonly effects: string
  /** The depth of the session that makes the Elevated call: 0 is the Main. */
  readonly depth: number
  readonly decider: Decider
}

export const taskOf = (level: number): string => `go to ${level}`
export const lastWordsOf = (level: number): string => `${level} is done`
export const elevatedTool = "launch"

const launch = (effects: string) =>
  Tool.make(elevatedTool, {
    version: 1,
    description: "Needs an approval; a repeated call has its effect again",
    tier: "Elevated",
    replay: "Unsafe",
    capabilities: [],
    parameters: Schema.Struct({}),
    output: Schema.Struct({}),
    execute: Effect.fnUntraced(function* () {
      const { callKey } = yield* Invocation.Invocation
      yield* Effect.sync(() => appendFileSync(effects, `${callKey}\n`))
      return Tool.result({ output: {}, display: "Launched" })
    })
  })

interface Asks {
  readonly name: string
  readonly arguments: unknown
}

const callsOf = (level: number, depth: number): ReadonlyArray<Asks> =>
  level === depth
    ? [{ name: elevatedTool, arguments: {} }]
    : [
        { name: "spawn_branch", arguments: { task: taskOf(level + 1) } },
        { name: "wait_for_sessions", arguments: {} }
      ]

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: 0 }

const modelOf = ({ depth }: Chain): Model.Model["Service"] => ({
  name: "test/steady",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const levels = Array.from({ length: depth + 1 }, (_, level) => level)
    const level = levels.findLast((one) => messages.some((sent) => sent._tag === "User" && sent.text === taskOf(one)))
    if (level === undefined) return Stream.die(new Error("this session has no task"))
    if (messages.some(({ _tag }) => _tag === "Assistant")) {
      return Stream.fromIterable<Model.ModelPart>([
        { _tag: "Text", text: lastWordsOf(level) },
        { _tag: "End", reason: "stop", ...usage }
      ])
    }
    const parts = callsOf(level, depth).flatMap((call): ReadonlyArray<Model.ModelPart> => {
      const callId = `${call.name} of ${level}`
      return [
        { _tag: "ToolCallStart", callId, name: call.name },
        { _tag: "ToolCallArguments", callId, text: JSON.stringify(call.arguments) }
      ]
    })
    return Stream.fromIterable<Model.ModelPart>([...parts, { _tag: "End", reason: "toolCalls", ...usage }])
  }
})

const agentsOf = ({ effects }: Chain) => {
  const pack = ToolPack.merge(ToolPack.make(launch(effects)), SessionPack.all)
  return (kind: "Main" | "Branch"): Agent.Agent =>
    SampleAgent.make(kind === "Main" ? SessionKind.Main.tools(pack) : SessionKind.Branch.tools(pack))
}

export const approved = { decision: { _tag: "Approved", rule: null }, principal: "ada" } as const

const channelOf = ({ decider }: Chain, asked: (request: Approval.Request) => void): Channel.Channel["Service"] => ({
  name: "test",
  ask: (request) =>
    Effect.suspend(() => {
      asked(request)
      return decider === "channel" ? Effect.succeed(approved) : Effect.never
    }),
  publish: () => Effect.void
})

/** Continues the stored session, or creates one; runs until no work is left. */
export const workOn = Effect.fnUntraced(function* (chain: Chain, asked: (request: Approval.Request) => void) {
  const store = yield* SessionStore.SessionStore
  const [known] = yield* store.list({ workspaceRoot: null, limit: 1 })
  const agentOf = agentsOf(chain)
  const childAgent: Tree.ChildAgent = (kind) =>
    kind === "Branch" ? Effect.succeed(agentOf(kind)) : Effect.die(new Error("no errands here"))
  const session = yield* Session.open({
    agent: agentOf("Main"),
    sessionId: known?.sessionId ?? null,
    childAgent
  }).pipe(
    Effect.provideService(Model.Model, modelOf(chain)),
    Effect.provideService(Channel.Channel, channelOf(chain, asked))
  )
  const resumed = yield* session.resume
  if (resumed !== null) return
  const entries = yield* store.entries(session.sessionId, 0, 1000)
  if (!entries.some(({ body }) => body._tag === "UserMessage")) yield* session.run({ text: taskOf(0), media: [] })
}, Effect.scoped)
