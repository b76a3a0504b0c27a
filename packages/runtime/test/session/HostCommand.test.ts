/** A command outside any sandbox is approved for the current workspace: later writes of the session make it lapse. */
import { Inbox } from "@bough/protocol"
import { Capability, type Execution, Tool, ToolContext, ToolPack, type WorkspaceWrite } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Channel, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const facts = { version: 1, replay: "Unsafe", output: Schema.Struct({}) } as const

const tools = (log: Array<string>) => {
  const acts = (line: string) =>
    Effect.sync(() => {
      log.push(line)
      return Tool.result({ output: {}, display: "Done" })
    })
  return ToolPack.make(
    Tool.make("run", {
      ...facts,
      description: "Run a command",
      tier: "System",
      capabilities: [Capability.Execution],
      parameters: Schema.Struct({ command: Schema.String }),
      execute: ({ command }) => acts(`run ${command}`)
    }),
    Tool.make("change", {
      ...facts,
      description: "Write a file",
      tier: "Workspace",
      capabilities: [Capability.WorkspaceWrite],
      parameters: Schema.Struct({ path: Schema.String }),
      execute: ({ path }) => acts(`change ${path}`)
    })
  )
}

const context = ToolContext.provide(
  ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, {
    make: () => ({}) as Execution.Execution["Service"],
    reach: "Host",
    preconditions: []
  }),
  Capability.WorkspaceWrite,
  ToolContext.constant({} as WorkspaceWrite.WorkspaceWrite["Service"])
)

const openWith = Effect.fnUntraced(function* (
  steps: ReadonlyArray<Reply.Reply>,
  log: Array<string>,
  at: { readonly sessionId: string | null; readonly answer: (() => Effect.Effect<Channel.ChannelAnswer>) | null }
) {
  const pack = tools(log)
  const agent = World.agentOf(World.makeWorld(), {
    tools: SampleAgent.toolsOf({ kind: "Main", pack }),
    context
  })
  const scripted = yield* ScriptedModel.make(steps)
  return yield* World.openSession({
    agent,
    scripted,
    channel: World.channelOf([], at.answer),
    sessionId: at.sessionId
  })
})

const decisions = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const entries = yield* store.entries(sessionId as never, 0, 1000)
  return entries.flatMap(({ body }) => (body._tag === "ApprovalDecided" ? [body.decision._tag] : []))
})

/** The command waits; a user approves its preview elsewhere; then another process continues. */
const play = (meanwhile: ReadonlyArray<Reply.Reply>) =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const asks = Reply.toolCall("run", { command: "sh build.sh" })
    const store = yield* SessionStore.SessionStore
    const sessionId = yield* Effect.scoped(
      Effect.gen(function* () {
        const script = [asks, ...meanwhile, Reply.text("waiting")]
        const session = yield* openWith(script, log, { sessionId: null, answer: null })
        const { pending } = yield* session.run(World.say("build it"))
        yield* store.submit(Inbox.toDecisionRow(pending[0], World.approved))
        return session.sessionId
      })
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        const script = [Reply.text("done"), Reply.text("done")]
        yield* (yield* openWith(script, log, { sessionId, answer: null })).resume
      })
    )
    return { log, decided: yield* decisions(sessionId) }
  }).pipe(Effect.provide(World.stores))

describe("a command outside any sandbox", () => {
  it.effect("runs once a user approves, in any process, if nothing was written since", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* play([]), { log: ["run sh build.sh"], decided: ["Approved"] })
    })
  )

  it.effect("is asked about again if the session has written since, and does not run on the first answer", () =>
    Effect.gen(function* () {
      const { decided, log } = yield* play([Reply.toolCall("change", { path: "build.sh" })])
      assert.deepStrictEqual(log, ["change build.sh"])
      assert.deepStrictEqual(decided, ["Lapsed"])
    })
  )
})
