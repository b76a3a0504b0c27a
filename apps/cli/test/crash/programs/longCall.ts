/**
 * Owns a tree whose model requests two calls: the first never ends and writes a line for each tick, and the second
 * waits for the first. A child also ticks forever. Arguments: directory, length of a lease, file of lines, the session
 * to continue or "".
 */
import { SessionPack } from "@bough/pack-session"
import { Channel, Model, Session } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import { SessionStoreSql } from "@bough/store-sqlite"
import { Invocation, SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { appendFileSync, writeSync } from "node:fs"

const [directory, leaseMillis, file, sessionId] = process.argv.slice(2)
const say = (line: string) => Effect.sync(() => void writeSync(1, `${line}\n`))
const write = (line: string) => Effect.sync(() => appendFileSync(file, `${process.pid} ${line}\n`))

const acting = <Name extends string>(name: Name, act: Effect.Effect<void, never, Invocation.Invocation>) =>
  Tool.make(name, {
    version: 1,
    description: "Leaves lines outside",
    tier: "Workspace",
    replay: "Unsafe",
    timeoutMillis: 600_000,
    capabilities: [],
    parameters: Schema.Struct({}),
    output: Schema.Struct({}),
    execute: () => Effect.as(act, Tool.result({ output: {}, display: name }))
  })

let ticks = 0
const tick = Effect.sync(() => void ticks++)

const ticking = Effect.flatMap(Invocation.Invocation, ({ sessionPath }) =>
  Effect.forever(
    Effect.andThen(Effect.andThen(tick, write(sessionPath.length === 1 ? "Main" : "Branch")), Effect.sleep(10))
  )
)
const tools = ToolPack.merge(ToolPack.make(acting("tick", ticking), acting("after", write("after"))), SessionPack.all)

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }

const model: Model.Model["Service"] = {
  name: "test/long",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const isAnswered = messages.some(({ _tag }) => _tag === "Assistant")
    const isChild = messages.some((message) => message._tag === "User" && message.text === "below")
    const calls: ReadonlyArray<readonly [string, object]> = isAnswered
      ? []
      : isChild
        ? [["tick", {}]]
        : [
            ["spawn_branch", { task: "below" }],
            ["tick", {}],
            ["after", {}]
          ]
    const parts = calls.flatMap(([name, args], index): ReadonlyArray<Model.ModelPart> => [
      { _tag: "ToolCallStart", callId: `${index}`, name },
      { _tag: "ToolCallArguments", callId: `${index}`, text: JSON.stringify(args) }
    ])
    const words: ReadonlyArray<Model.ModelPart> = calls.length === 0 ? [{ _tag: "Text", text: "done" }] : []
    return Stream.fromIterable<Model.ModelPart>([
      ...words,
      ...parts,
      { _tag: "End", reason: calls.length === 0 ? "stop" : "toolCalls", ...usage }
    ])
  }
}

const allowing = (tool: string) => ({ effect: "allow", tool, fields: [], text: `allow ${tool}` }) as const

const policy = { rules: ["tick", "after"].map((tool) => allowing(tool)), approve: "ask" } as const

const program = Effect.scoped(
  Effect.gen(function* () {
    const session = yield* Session.open({
      agent: SampleAgent.make(SessionKind.Main.tools(tools), { policy }),
      sessionId: sessionId === "" ? null : sessionId,
      childAgent: (kind) =>
        kind === "Branch"
          ? Effect.succeed(SampleAgent.make(SessionKind.Branch.tools(tools), { policy }))
          : Effect.die("no errands")
    }).pipe(
      Effect.provideService(Model.Model, model),
      Effect.provideService(Channel.Channel, { name: null, ask: null, publish: () => Effect.void })
    )
    yield* say(`owns ${session.sessionId}`)
    const turn = sessionId === "" ? session.run({ text: "go", media: [] }) : session.resume
    yield* Effect.tapError(turn, () =>
      Effect.gen(function* () {
        // While the session is still open.
        yield* Effect.sleep(100)
        const before = ticks
        yield* Effect.sleep(200)
        yield* say(`${ticks - before} ticks since`)
      })
    )
    // The calls that are refused before anything starts.
    yield* Effect.sleep(50)
  })
).pipe(
  Effect.matchCauseEffect({
    onSuccess: () => say("ended"),
    onFailure: (cause) => {
      const error = Cause.squash(cause)
      return say(
        `failed ${typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : String(error)}`
      )
    }
  })
)

Effect.runFork(Effect.provide(program, SessionStoreSql.layer({ directory, leaseMillis: Number(leaseMillis) })))
