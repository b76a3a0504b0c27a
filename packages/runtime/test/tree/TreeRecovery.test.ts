/**
 * A tree three deep, with writes, approved Elevated calls and a Worker, is killed at any write to its journals, before
 * and after it is durable, and continues in a fresh process: each effect at most once, each child one end, no approval
 * requested twice.
 */
import type { Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { someOf, thorough } from "../../../../test/thorough.ts"
import { type Agent, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Crash from "../session/crash.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"
import * as Steady from "./steady.ts"

const { text, toolCall, toolCalls } = Reply
const wait = { name: "wait_for_sessions", arguments: {} }
const spawn = (kind: "branch" | "worker", task: string) => ({ name: `spawn_${kind}`, arguments: { task } })

const model = Steady.make({
  go: [
    toolCalls([spawn("branch", "work"), spawn("worker", "errand"), wait]),
    toolCall("append", { line: "main" }),
    text("all done")
  ],
  work: [
    toolCall("append", { line: "work" }),
    toolCall("launch", { target: "moon" }),
    toolCalls([spawn("branch", "deep"), wait]),
    text("worked")
  ],
  deep: [toolCall("launch", { target: "mars" }), toolCall("append", { line: "deep" }), text("deep done")],
  errand: [toolCall("look", { key: "a" }), text("seen")]
})

const effects = ["append main", "append work", "append deep", "launch moon", "launch mars"]

interface Watch {
  readonly decided: Set<string>
  readonly askedAgain: Array<string>
  readonly limits: Partial<Agent.Limits>
}

const attempt = (
  world: World.World,
  store: SessionStore.SessionStore["Service"],
  watch: Watch,
  sessionId?: Session.SessionId
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { session } = yield* Grove.openWith({
        world,
        model,
        limits: watch.limits,
        ...(sessionId === undefined ? {} : { sessionId }),
        ask: (request) => {
          if (watch.decided.has(request.arguments)) watch.askedAgain.push(request.arguments)
          return World.approve()
        }
      })
      const resumed = yield* session.resume
      const hasUserMessage = (yield* Grove.bodies(session.sessionId, "UserMessage")).length > 0
      return resumed ?? (hasUserMessage ? null : yield* session.run(World.say("go")))
    }).pipe(Effect.provideService(SessionStore.SessionStore, remembering(store, watch)))
  )

/** Finds the approved call by the write of its decision. */
const remembering = (store: SessionStore.SessionStore["Service"], watch: Watch): typeof store => ({
  ...store,
  submit: (submission) =>
    Effect.gen(function* () {
      const pending = yield* store.pendingApprovals(null)
      const stored = yield* store.submit(submission)
      const { command } = submission
      const request =
        command._tag === "DecideApproval"
          ? pending.find(({ approvalId }) => approvalId === command.approvalId)
          : undefined
      if (request !== undefined) watch.decided.add(request.arguments)
      return stored
    })
})

interface Point {
  readonly at: number
  readonly when: Crash.When
}

const killedAt = ({ at, when }: Point, limits: Watch["limits"]) =>
  Effect.gen(function* () {
    const inner = yield* SessionStore.SessionStore
    const world = World.makeWorld()
    const watch: Watch = { decided: new Set(), askedAgain: [], limits }
    const crashing = Crash.make(inner, at, when)
    const first = yield* Effect.exit(attempt(world, crashing.store, watch))
    if (!crashing.isDead()) {
      assert.strictEqual(first._tag, "Success")
      return crashing.writes()
    }
    yield* crashing.bury
    const [known] = yield* inner.list({ workspaceRoot: null, limit: 1 })
    const before: ReadonlyMap<Session.SessionId, ReadonlyArray<Entry.Entry>> = known === undefined
      ? new Map()
      : yield* Grove.tree(inner, known.sessionId)
    const result = yield* attempt(world, inner, watch, known?.sessionId)
    const [main] = yield* inner.list({ workspaceRoot: null, limit: 1 })
    const after = yield* Grove.tree(inner, main.sessionId)
    const point = `${when} write ${at}`
    assert.strictEqual(result?.status ?? "completed", "completed", point)
    checkStored(point, before, after)
    checkEffects(point, world, [...before.values()].flat(), [...after.values()].flat())
    assert.deepStrictEqual(watch.askedAgain, [], `${point}: nobody is asked again about what was decided`)
    assert.deepStrictEqual(yield* inner.pendingApprovals(null), [], point)
    assert.deepStrictEqual(yield* inner.inbox(main.treeId), [], `${point}: nothing is left in the inbox`)
    return crashing.writes()
  }).pipe(Effect.provide(World.stores))

type Entries = ReadonlyMap<Session.SessionId, ReadonlyArray<Entry.Entry>>

const checkStored = (point: string, before: Entries, after: Entries) => {
  for (const [sessionId, entries] of before) {
    assert.deepStrictEqual(after.get(sessionId)?.slice(0, entries.length), entries, `${point}: what was stored stays`)
  }
  for (const [sessionId, entries] of after) {
    for (const { body } of entries) {
      if (body._tag !== "ChildSpawned") continue
      const ends = entries.flatMap((entry) =>
        entry.body._tag === "ChildEnded" && entry.body.childId === body.childId ? [entry.body.result] : []
      )
      const own = (after.get(body.childId) ?? []).flatMap((entry) =>
        entry.body._tag === "SessionEnded" ? [entry.body.result] : []
      )
      assert.strictEqual(ends.length, 1, `${point}: ${body.title} has one end`)
      assert.deepStrictEqual(own, ends, `${point}: ${body.title} and its parent agree`)
      assert.strictEqual(
        after.get(body.childId)?.at(-1)?.body._tag,
        "SessionEnded",
        `${point}: nothing follows the end`
      )
      if (body.kind === "Branch")
        assert.strictEqual(ends[0].status, "Completed", `${point}: ${body.title}: ${ends[0].reason}`)
    }
    assert.isTrue(entries.every((entry) => entry.sessionId === sessionId))
  }
}

const checkEffects = (
  point: string,
  world: World.World,
  before: ReadonlyArray<Entry.Entry>,
  after: ReadonlyArray<Entry.Entry>
) => {
  for (const effect of effects) {
    const times = world.log.filter((entry) => entry === effect).length
    const unknown = after.some(
      ({ body, sessionId }) =>
        body._tag === "CallEnded" &&
        body.outcome._tag === "Unknown" &&
        before.some(
          (entry) =>
            entry.sessionId === sessionId &&
            entry.body._tag === "CallStarted" &&
            entry.body.toolCallId === body.toolCallId
        )
    )
    assert.isTrue(times === 1 || (times === 0 && unknown), `${point}: ${effect} happened ${times} times`)
  }
  const consumed = after.flatMap(({ body }) =>
    body._tag === "CallStarted" && body.approvalId !== null ? [body.approvalId] : []
  )
  assert.strictEqual(new Set(consumed).size, consumed.length, `${point}: an approval is used once`)
}

const killedAtAny = Effect.fnUntraced(function* (limits: Watch["limits"], count: number) {
  const writes = yield* killedAt({ at: 0, when: "before" }, limits)
  assert.isAbove(writes, 40)
  const points = Array.from({ length: writes }, (_, index) => index + 1).flatMap((at) =>
    (["before", "after"] as const).map((when) => ({ at, when }))
  )
  for (const point of someOf(points, count)) yield* killedAt(point, limits)
})

describe("Recovery of a tree", () => {
  it.effect("killed at any write it continues, loses nothing and repeats nothing", () => killedAtAny({}, 8), thorough)

  it.effect(
    "the same if every Elevated call is deferred before the user approves it",
    () => killedAtAny({ approvalGraceMillis: 0 }, 3),
    thorough
  )
})
