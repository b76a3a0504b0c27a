/**
 * A run with reads, writes, an idempotent write and an approved Elevated call is killed at every write to the journal,
 * before and after it is durable, and continues in a fresh process: nothing acknowledged is lost, nothing happens
 * twice.
 */
import type { Approval, Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { type Model, SessionStore, type Turn } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Crash from "./crash.ts"
import * as World from "./world.ts"

const replies: ReadonlyArray<Reply.Reply> = [
  Reply.toolCalls([
    { name: "look", arguments: { key: "a" } },
    { name: "append", arguments: { line: "1" } },
    { name: "put", arguments: { key: "k", value: "v" } }
  ]),
  Reply.toolCall("launch", { target: "moon" }),
  Reply.toolCall("append", { line: "2" }),
  Reply.text("all done")
]

/** Answers by the content of its prompt, so that a repeated request gets the same answer. */
const model: Model.Model["Service"] = {
  name: "test/steady",
  contextTokens: null,
  priced: false,
  stream: (prompt) => {
    const replyCount = prompt.messages.filter((message) => message._tag === "Assistant").length
    const parts = replies[replyCount].flatMap((piece) =>
      piece._tag === "Pause" || piece._tag === "Hang" || piece._tag === "Fail" ? [] : [piece]
    )
    return Stream.fromIterable(parts)
  }
}

/** Watches the only call that needs an approval. `decided`: its decision is stored. */
interface Watch {
  decided: boolean
  readonly askedAfterDecision: Array<string>
}

const channelOf = (watch: Watch) =>
  World.channelOf([], (request: Approval.Request) => {
    if (watch.decided) watch.askedAfterDecision.push(request.toolCallId)
    return World.approve()
  })

const attempt = (world: World.World, crashing: Crash.Crashing, watch: Watch, sessionId: string | null) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* World.openWith({
        agent: World.agentOf(world),
        model,
        channel: channelOf(watch),
        sessionId
      })
      const resumed = yield* session.resume
      const entries = yield* crashing.store.entries(session.sessionId, 0, 1000)
      const messages = entries.filter(({ body }) => body._tag === "UserMessage").length
      return resumed ?? (messages === 0 ? yield* session.run(World.say("go")) : doneBefore)
    }).pipe(Effect.provideService(SessionStore.SessionStore, remembering(crashing.store, watch)))
  )

const doneBefore: Turn.TurnResult = {
  status: "completed",
  reason: "",
  text: "all done",
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null },
  pending: [],
  live: 0
}

const remembering = (store: SessionStore.SessionStore["Service"], watch: Watch): typeof store => ({
  ...store,
  submit: (submission) =>
    Effect.tap(store.submit(submission), () =>
      Effect.sync(() => {
        if (submission.command._tag === "DecideApproval") watch.decided = true
      })
    )
})

const allEntries = (store: SessionStore.SessionStore["Service"], sessionId: Session.SessionId | undefined) =>
  sessionId === undefined ? Effect.succeed([]) : store.entries(sessionId, 0, 1000)

const killedAt = (at: number, when: Crash.When) =>
  Effect.gen(function* () {
    const inner = yield* SessionStore.SessionStore
    const world = World.makeWorld()
    const watch: Watch = { decided: false, askedAfterDecision: [] }
    const crashing = Crash.make(inner, at, when)
    const first = yield* Effect.exit(attempt(world, crashing, watch, null))
    if (!crashing.isDead()) return { writes: crashing.writes(), finished: Exit.isSuccess(first) }
    yield* crashing.bury
    const known = (yield* inner.list({ workspaceRoot: null, limit: 1 }))[0]
    const before = yield* allEntries(inner, known?.sessionId)
    const again = Crash.make(inner, 0, "before")
    const result = yield* attempt(world, again, watch, known?.sessionId ?? null)
    const session = (yield* inner.list({ workspaceRoot: null, limit: 1 }))[0]
    const after = yield* allEntries(inner, session.sessionId)
    check({ at: `${when} write ${at}`, world, watch, before, after, result })
    return { writes: crashing.writes(), finished: false }
  }).pipe(Effect.provide(World.stores))

interface Seen {
  readonly at: string
  readonly world: World.World
  readonly watch: Watch
  readonly before: ReadonlyArray<Entry.Entry>
  readonly after: ReadonlyArray<Entry.Entry>
  readonly result: Turn.TurnResult
}

const check = ({ after, at, before, result, watch, world }: Seen) => {
  assert.strictEqual(result.status, "completed", at)
  assert.strictEqual(result.text, "all done", at)
  assert.deepStrictEqual(after.slice(0, before.length), before, `${at}: what was stored stays as it was`)
  const ended = endsByCall(after)
  assert.deepStrictEqual(
    new Map<string | undefined, number>(
      ended.map(({ call }) => [call, ended.filter((other) => other.call === call).length])
    ),
    new Map<string | undefined, number>(
      ["look a", "append 1", "put k", "launch moon", "append 2"].map((call) => [call, 1])
    ),
    `${at}: one end a call`
  )
  for (const effect of ["append 1", "launch moon", "append 2"]) {
    const times = world.log.filter((entry) => entry === effect).length
    const { outcome, toolCallId } = ended.find(({ call }) => call === effect) ?? assert.fail(`${at}: ${effect} is gone`)
    const wasStarted = before.some(({ body }) => body._tag === "CallStarted" && body.toolCallId === toolCallId)
    assert.isTrue(times <= 1, `${at}: ${effect} happened ${times} times`)
    const isRight = outcome._tag === "Unknown" ? wasStarted : outcome._tag === "Succeeded" && times === 1
    assert.isTrue(isRight, `${at}: ${effect} happened ${times} times and ended as ${outcome._tag}`)
  }
  assert.strictEqual(world.values.get("k"), "v", `${at}: the idempotent write is in place`)
  assert.deepStrictEqual(watch.askedAfterDecision, [], `${at}: nobody is asked again about what was decided`)
  const consumed = after.filter(({ body }) => body._tag === "CallStarted" && body.approvalId !== null)
  assert.isTrue(consumed.length <= 1, `${at}: an approval is used once`)
}

/** The end by the requested call: a step that died with its process takes a number, so ids differ between runs. */
const endsByCall = (entries: ReadonlyArray<Entry.Entry>) => {
  const calls = new Map(
    entries
      .flatMap(({ body }) => (body._tag === "ModelReplied" ? body.parts : []))
      .flatMap((part) => {
        if (part._tag !== "ToolCall") return []
        const [first] = Object.values(JSON.parse(part.arguments) as Record<string, string>)
        return [[part.toolCallId, `${part.name} ${first}`] as const]
      })
  )
  return entries.flatMap(({ body }) =>
    body._tag === "CallEnded"
      ? [{ call: calls.get(body.toolCallId), toolCallId: body.toolCallId, outcome: body.outcome }]
      : []
  )
}

describe("Recovery", () => {
  it.effect("a run killed at any write continues, loses nothing and repeats nothing", () =>
    Effect.gen(function* () {
      const whole = yield* killedAt(0, "before")
      assert.isTrue(whole.finished)
      assert.isTrue(whole.writes > 15, `a run has ${whole.writes} writes`)
      for (let at = 1; at <= whole.writes; at++) {
        yield* killedAt(at, "before")
        yield* killedAt(at, "after")
      }
    })
  )
})
