/** The receipt of a call that an earlier process started: its attempt number, and its authority. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Steady from "../tree/steady.ts"
import * as World from "./world.ts"

const askFirst = {
  approve: "ask",
  rules: [
    { effect: "ask", tool: "put", fields: [], text: "ask put" },
    { effect: "ask", tool: "look", fields: [], text: "ask look" }
  ]
} as const

/**
 * The process dies before the end of the call is recorded; the next one continues. Returns the receipt and the approval
 * requests.
 */
const afterDeath = Effect.fnUntraced(function* (
  call: Reply.Reply,
  dies: "CallEnded" | "ApprovalDecided",
  isAsked: boolean
) {
  const inner = yield* SessionStore.SessionStore
  const world = World.makeWorld()
  let askCount = 0
  let dead = false
  let lease: SessionStore.Lease | null = null
  const dying: typeof inner = {
    ...inner,
    acquire: (treeId) => Effect.tap(inner.acquire(treeId), (held) => Effect.sync(() => (lease = held))),
    release: (held) => (dead ? Effect.void : inner.release(held)),
    commit: (batch) =>
      Effect.suspend(() => {
        dead ||= batch.entries.some(({ body }) => body._tag === dies)
        return dead ? Effect.die("killed") : inner.commit(batch)
      })
  }
  const process = (store: typeof inner, sessionId: string | null) =>
    Effect.gen(function* () {
      const session = yield* World.openWith({
        agent: World.agentOf(world, isAsked ? { policy: askFirst } : {}),
        model: Steady.make({ go: [call, Reply.text("done")] }),
        channel: World.channelOf([], () =>
          Effect.sync(() => {
            askCount += 1
            return World.approved
          })
        ),
        sessionId
      })
      yield* sessionId === null ? session.run(World.say("go")) : session.resume
    }).pipe(Effect.scoped, Effect.provideService(SessionStore.SessionStore, store))
  assert.isTrue(Exit.isFailure(yield* Effect.exit(process(dying, null))))
  if (lease !== null) yield* inner.release(lease)
  const [{ sessionId }] = yield* inner.list({ workspaceRoot: null, limit: 1 })
  yield* process(inner, sessionId)
  const bodies = (yield* inner.entries(sessionId, 0, 100)).map(({ body }) => body)
  const receipts = bodies.flatMap((body) => (body._tag === "CallEnded" && body.receipt !== null ? [body.receipt] : []))
  const request = bodies.find((body) => body._tag === "ApprovalAsked")
  const approvalId = request?._tag === "ApprovalAsked" ? request.request.approvalId : null
  return { receipts, asked: askCount, approvalId, log: world.log }
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))
const put = Reply.toolCall("put", { key: "k", value: "v" })
const look = Reply.toolCall("look", { key: "k" })

describe("A call that an earlier process started", () => {
  it.effect("keeps the authority of the user who approved it, who is not asked again", () =>
    run(
      Effect.gen(function* () {
        const { approvalId, asked, receipts } = yield* afterDeath(put, "CallEnded", true)
        assert.strictEqual(asked, 1)
        assert.isNotNull(approvalId)
        assert.deepStrictEqual(
          receipts.map(({ authority }) => authority),
          [{ _tag: "User", approvalId, principal: "ada" }]
        )
      })
    )
  )

  it.effect("is a second attempt if it may have run without a record", () =>
    run(
      Effect.gen(function* () {
        const { receipts } = yield* afterDeath(look, "CallEnded", false)
        assert.deepStrictEqual(
          receipts.map(({ attempt }) => attempt),
          [2]
        )
      })
    )
  )

  it.effect("is a first attempt if it only got as far as its approval", () =>
    run(
      Effect.gen(function* () {
        const { asked, receipts } = yield* afterDeath(look, "ApprovalDecided", true)
        assert.strictEqual(asked, 1)
        assert.deepStrictEqual(
          receipts.map(({ attempt }) => attempt),
          [1]
        )
      })
    )
  )
})
