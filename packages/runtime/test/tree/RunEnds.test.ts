/**
 * A run that ends by itself withdraws no request: a user may still decide, and the next run continues with the
 * decision. A cancel, and Ctrl-C by an attached user, withdraw it.
 */
import { Inbox, type Approval, type Entry, type Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Model, RequestEnds, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"
import * as Steady from "./steady.ts"

const { text, toolCall, toolCalls } = Reply

const broken = new Model.ModelError({
  reason: "BadResponse",
  model: "test/steady",
  message: "400",
  hint: "",
  retryable: false,
  retryAfterMillis: null
})

/** Branches in a chain; the deepest one launches, and appends a line in parallel. */
const cast = (depth: number): Steady.Cast => ({
  ...Object.fromEntries(
    Array.from({ length: depth }, (_, level) => [
      level === 0 ? "go" : `level ${level}`,
      [
        toolCall("spawn_branch", { task: `level ${level + 1}`, maxSteps: 10 }),
        text("waiting"),
        text("done"),
        text("done")
      ]
    ])
  ),
  [depth === 0 ? "go" : `level ${depth}`]: [
    toolCalls([
      { name: "launch", arguments: { target: "moon" } },
      { name: "look", arguments: { key: "a" } }
    ]),
    text("launched")
  ]
})

/** The Main's provider fails, once an approval is requested. */
const failing = (inner: Model.Model["Service"], requested: Deferred.Deferred<void>): Model.Model["Service"] => ({
  ...inner,
  stream: (prompt) =>
    isMain(prompt) && prompt.messages.length > 1
      ? Stream.fromEffect(Effect.andThen(Deferred.await(requested), Effect.fail(broken)))
      : inner.stream(prompt)
})

const isMain = ({ messages }: Model.Prompt) =>
  messages.some((message) => message._tag === "User" && message.text === "go")

const pending = Effect.flatMap(SessionStore.SessionStore, (store) => store.pendingApprovals(null))

const decide = (request: Approval.Request, decision: Approval.Decision = { _tag: "Approved", rule: null }) =>
  Effect.flatMap(SessionStore.SessionStore, (store) =>
    store.submit(Inbox.toDecisionRow(request, { decision, principal: "grace" }))
  )

const bodiesOf = (sessionId: Session.SessionId) =>
  Effect.map(
    Effect.flatMap(SessionStore.SessionStore, (store) => Grove.tree(store, sessionId)),
    (entries) => Array.from(entries.values()).flatMap((own) => own.map(({ body }) => body))
  )

const only = <Tag extends Entry.Body["_tag"]>(bodies: ReadonlyArray<Entry.Body>, tag: Tag) =>
  bodies.filter((body): body is Entry.BodyOf<Tag> => body._tag === tag)

type How = "provider" | "steps"
type There = "a person is there" | "nobody is there"

interface Setting {
  readonly depth: number
  readonly how: How
  readonly there: There
}

/** Runs until the run has ended by itself with one undecided request. */
const endedWithout = (world: World.World, { depth, how, there }: Setting) =>
  Effect.scoped(
    Effect.gen(function* () {
      const requested = yield* Deferred.make<void>()
      const ask = () => Effect.andThen(Deferred.succeed(requested, undefined), Effect.never)
      const steady = Steady.make(cast(depth))
      const { session } = yield* Grove.openWith({
        world,
        model: how === "provider" ? failing(steady, requested) : steady,
        ask: there === "nobody is there" ? null : ask,
        limits: { approvalGraceMillis: 60_000, ...(how === "steps" ? { maxSteps: 1 } : {}) }
      })
      if (there === "nobody is there") {
        yield* Effect.forkChild(
          Effect.repeat(
            Effect.andThen(
              Effect.flatMap(pending, (all) => (all.length > 0 ? Deferred.succeed(requested, undefined) : Effect.void)),
              Effect.yieldNow
            ),
            { until: () => Deferred.isDoneUnsafe(requested) }
          )
        )
      }
      const running = yield* Effect.forkChild(session.run(World.say("go")))
      yield* Deferred.await(requested)
      yield* Fiber.await(running)
      return session.sessionId
    })
  )

const settings: ReadonlyArray<Setting> = [1, 2, 3].flatMap((depth) =>
  (["provider", "steps"] as const).flatMap((how) =>
    (["a person is there", "nobody is there"] as const).map((there): Setting => ({ depth, how, there }))
  )
)

describe("A run that ends by itself", () => {
  it.effect.each(settings)("keeps the request: depth $depth, $how, $there", (setting) =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const sessionId = yield* endedWithout(world, setting)
        const [request, ...others] = yield* pending
        assert.lengthOf(others, 0)
        const closed = only(yield* bodiesOf(sessionId), "StateChanged").filter(({ reason }) => reason === "interrupted")
        assert.deepStrictEqual(closed, [])
        assert.strictEqual(request?.tool, "launch")
        assert.deepStrictEqual(only(yield* bodiesOf(sessionId), "ApprovalDecided"), [])
        yield* decide(request)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.openWith({ world, model: Steady.make(cast(setting.depth)), sessionId })
            yield* session.resume
          })
        )
        assert.deepStrictEqual(world.log, ["launch moon"])
        const bodies = yield* bodiesOf(sessionId)
        assert.deepStrictEqual(
          only(bodies, "ApprovalDecided").map(({ approvalId, decision }) => [approvalId, decision._tag]),
          [[request.approvalId, "Approved"]]
        )
        assert.lengthOf(only(bodies, "ApprovalAsked"), 1)
        assert.isTrue(only(bodies, "SessionEnded").every(({ result }) => result.status === "Completed"))
      })
    )
  )
})

/** A Branch that requests an approval while it works, and whose own end comes before the decision. */
const lowest = (second: Reply.Reply, maxSteps = 10): Steady.Cast => ({
  go: [toolCall("spawn_branch", { task: "low", maxSteps }), toolCall("wait_for_sessions", {}), text("done")],
  low: [toolCall("launch", { target: "moon" }), second, text("late")]
})

const until = <A, E, R>(look: Effect.Effect<A | null, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(look, (found) =>
    found === null ? Effect.andThen(Effect.yieldNow, until(look)) : Effect.succeed(found)
  )

describe("A Branch without a further model call", () => {
  it.effect.each([
    { name: "its step limit is reached", second: toolCall("look", { key: "a" }), reason: /step limit of 2/u },
    { name: "its provider fails", second: null, reason: /400/u }
  ])("waits for its approval, runs the call and ends: $name", ({ reason, second }) =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const steady = Steady.make(second === null ? lowest(text("")) : lowest(second, 2))
        let failures = 0
        const model: Model.Model["Service"] = {
          ...steady,
          stream: (prompt) => {
            if (second !== null || isMain(prompt) || prompt.messages.length === 1) return steady.stream(prompt)
            failures += 1
            return failures > 5 ? Stream.die(new Error("asked again and again")) : Stream.fail(broken)
          }
        }
        const { session } = yield* Grove.openWith({ world, model })
        const first = yield* session.run(World.say("go"))
        assert.strictEqual(first.status, "suspended")
        const [request] = yield* pending
        assert.strictEqual(request?.tool, "launch")
        yield* decide(request)
        yield* session.resume
        assert.deepStrictEqual(world.log, ["launch moon"])
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.strictEqual(result.status, "Failed")
        assert.match(result.reason, reason)
        assert.deepStrictEqual(yield* pending, [])
      })
    )
  )
})

/** A Main with one request, shown to a user who does not answer, when `then` happens. */
const whileAsked = <A, E, R>(
  world: World.World,
  then: (request: Approval.Request, interrupt: Effect.Effect<void>) => Effect.Effect<A, E, R>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const requested = yield* Deferred.make<Approval.Request>()
      const { session } = yield* Grove.openWith({
        world,
        model: Steady.make(cast(0)),
        ask: (request) => Effect.andThen(Deferred.succeed(requested, request), Effect.never),
        limits: { approvalGraceMillis: 60_000 }
      })
      const running = yield* Effect.forkChild(session.run(World.say("go")))
      yield* then(yield* Deferred.await(requested), Fiber.interrupt(running))
      return session.sessionId
    })
  )

const resumed = (world: World.World, sessionId: Session.SessionId) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { session } = yield* Grove.openWith({ world, model: Steady.make(cast(0)), sessionId })
      return yield* session.resume
    })
  )

describe("Ctrl-C by a user with a pending approval", () => {
  it.effect("withdraws the request, and says so", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const sessionId = yield* whileAsked(world, (_, interrupt) => interrupt)
        assert.deepStrictEqual(yield* pending, [])
        const [{ decision }] = yield* Grove.bodies(sessionId, "ApprovalDecided")
        assert.deepStrictEqual(decision, { _tag: "Withdrawn", reason: RequestEnds.causeOf("interrupted").reason })
        yield* resumed(world, sessionId)
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect.each([
    { decision: { _tag: "Approved", rule: null }, log: ["launch moon"], outcome: "Succeeded" },
    { decision: { _tag: "Denied", words: "not now" }, log: [], outcome: "Rejected" }
  ] as const)("leaves one that was decided first, and the next run uses it once: $decision._tag", (input) =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const sessionId = yield* whileAsked(world, (request, interrupt) =>
          // The interruption follows at once, so that the decision is stored and not read yet.
          Effect.andThen(decide(request, input.decision), interrupt)
        )
        yield* resumed(world, sessionId)
        yield* resumed(world, sessionId)
        assert.deepStrictEqual(world.log, [...input.log])
        const decided = yield* Grove.bodies(sessionId, "ApprovalDecided")
        assert.deepStrictEqual(
          decided.map(({ decision, principal }) => [decision._tag, principal]),
          [[input.decision._tag, "grace"]]
        )
        const ended = yield* Grove.bodies(sessionId, "CallEnded")
        assert.strictEqual(ended.find(({ tool }) => tool === "launch")?.outcome._tag, input.outcome)
      })
    )
  )
})

describe("Ctrl-C beside a decision for a Branch", () => {
  it.effect("ends the Branch, and the record says that the approval could not be used", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const sessionId = yield* Effect.scoped(
          Effect.gen(function* () {
            const requested = yield* Deferred.make<Approval.Request>()
            const { session } = yield* Grove.openWith({
              world,
              model: Steady.make(cast(1)),
              ask: (request) => Effect.andThen(Deferred.succeed(requested, request), Effect.never),
              limits: { approvalGraceMillis: 60_000 }
            })
            const running = yield* Effect.forkChild(session.run(World.say("go")))
            const request = yield* Deferred.await(requested)
            yield* Effect.andThen(decide(request), Fiber.interrupt(running))
            return session.sessionId
          })
        )
        assert.deepStrictEqual(world.log, [])
        const bodies = yield* bodiesOf(sessionId)
        const reason = "approved by grace, but its session was cancelled before the call could use it"
        assert.deepStrictEqual(
          only(bodies, "ApprovalDecided").map(({ decision }) => decision),
          [{ _tag: "Lapsed", reason }]
        )
        const [{ result }] = yield* Grove.bodies(sessionId, "ChildEnded")
        assert.strictEqual(result.status, "Cancelled")
        const end = only(bodies, "CallEnded").find(({ tool }) => tool === "launch")
        assert.strictEqual(end?.outcome._tag, "NotRun")
      })
    )
  )
})

describe("A cancel", () => {
  it.effect("withdraws pending requests, and records that an approval could not be used", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const sessionId = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.openWith({ world, model: Steady.make(lowest(text("waiting"))) })
            yield* session.run(World.say("go"))
            return session.sessionId
          })
        )
        const store = yield* SessionStore.SessionStore
        const [request] = yield* pending
        const [, childId] = request.sessionPath
        yield* store.submit({
          treeId: sessionId,
          dedupeKey: "cancel",
          command: { _tag: "CancelSession", sessionId: childId, reason: "not needed" },
          principal: "ada"
        })
        yield* decide(request)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.openWith({
              world,
              model: Steady.make(lowest(text("waiting"))),
              sessionId,
              limits: { wrapUpMillis: 0 }
            })
            yield* session.resume
          })
        )
        const decided = yield* Grove.bodies(childId, "ApprovalDecided")
        assert.lengthOf(decided, 1)
        assert.strictEqual(world.log.length, decided[0].decision._tag === "Approved" ? 1 : 0)
        if (decided[0].decision._tag === "Lapsed") {
          assert.strictEqual(
            decided[0].decision.reason,
            "approved by grace, but its session was cancelled before the call could use it"
          )
        }
      })
    )
  )
})
