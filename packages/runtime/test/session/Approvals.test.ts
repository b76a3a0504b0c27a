/** Approvals of one session: requested durably, decided once, used once, parked if no user is attached. */
import { RuleText } from "@bough/policy"
import { type Approval, type Entry, type Event, Inbox } from "@bough/protocol"
import { type Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { type Channel, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

type Answering = ((request: Approval.Request) => Effect.Effect<Channel.ChannelAnswer>) | null

const launch = Reply.toolCall("launch", { target: "moon" })

const begin = Effect.fnUntraced(function* (
  answer: (world: World.World) => Answering,
  steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>,
  sessionId: string | null = null,
  world: World.World = World.makeWorld()
) {
  const scripted = yield* ScriptedModel.make(steps)
  const events: Array<Event.Event> = []
  const channel = World.channelOf(events, answer(world))
  const session = yield* World.openSession({ agent: World.agentOf(world), scripted, channel, sessionId })
  return { world, scripted, events, session }
})

/** A session that ended its run with one parked call, without an attached user, and was closed. */
const parked = Effect.scoped(
  Effect.gen(function* () {
    const { session, world } = yield* begin(() => null, [launch, Reply.text("I wait")])
    const { pending } = yield* session.run(World.say("go"))
    assert.lengthOf(pending, 1)
    return { sessionId: session.sessionId, world, request: pending[0] }
  })
)

const ended = Effect.fnUntraced(function* (sessionId: Entry.Entry["sessionId"]) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.entries(sessionId, 0, 1000)).flatMap(({ body }) => (body._tag === "CallEnded" ? [body] : []))
})

const decisions = Effect.fnUntraced(function* (sessionId: Entry.Entry["sessionId"]) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.entries(sessionId, 0, 1000)).flatMap(({ body }) =>
    body._tag === "ApprovalDecided" ? [body.decision._tag] : []
  )
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const denied = (words: string | null) => (): Effect.Effect<Channel.ChannelAnswer> =>
  Effect.succeed({ decision: { _tag: "Denied", words }, principal: "ada" })

describe("Approvals", () => {
  it.effect("an approved call runs once, and its receipt names who approved", () =>
    run(
      Effect.gen(function* () {
        const { session, world } = yield* begin(() => World.approve, [launch, Reply.text("done")])
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(world.log, ["launch moon"])
        const [call] = yield* ended(session.sessionId)
        const authority = call.receipt?.authority
        assert.strictEqual(authority?._tag === "User" ? authority.principal : null, "ada")
      })
    )
  )

  it.effect("a request is durable before it is shown", () =>
    run(
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const seen: Array<number> = []
        const { session } = yield* begin(
          () => () =>
            Effect.gen(function* () {
              seen.push((yield* Effect.orDie(store.pendingApprovals(null))).length)
              return yield* World.approve()
            }),
          [launch, Reply.text("done")]
        )
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(seen, [1])
        assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
      })
    )
  )

  it.effect("a denial passes the user's reason to the model, and nothing runs", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session, world } = yield* begin(() => denied("wrong moon"), [launch, Reply.text("I see")])
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(world.log, [])
        const answer = (yield* scripted.script.prompts)[1].messages.at(-1)
        assert.match((answer as { readonly output: string }).output, /wrong moon/)
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Denied"])
      })
    )
  )

  it.effect("reads overtake a call that waits for an approval", () =>
    run(
      Effect.gen(function* () {
        const both = Reply.toolCalls([
          { name: "launch", arguments: { target: "moon" } },
          { name: "look", arguments: { key: "a" } }
        ])
        const order: Array<string> = []
        const { events, session } = yield* begin(
          () => () =>
            Effect.gen(function* () {
              yield* Effect.sleep(1000)
              order.push(
                ...events.flatMap((event) =>
                  event._tag === "Recorded" && event.entry.body._tag === "CallEnded" ? [event.entry.body.tool] : []
                )
              )
              return yield* World.approve()
            }),
          [both, Reply.text("done")]
        )
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust(2000)
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(order, ["look"])
      })
    )
  )

  it.effect("a file that changed since the preview makes the approval lapse, and asks again", () =>
    run(
      Effect.gen(function* () {
        let askCount = 0
        const { session, world } = yield* begin(
          (world) => () => {
            askCount += 1
            if (askCount === 1) world.values.set("aim", "elsewhere")
            return World.approve()
          },
          [launch, Reply.text("done")]
        )
        yield* session.run(World.say("go"))
        assert.strictEqual(askCount, 2)
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Lapsed", "Approved"])
        assert.deepStrictEqual(world.log, ["launch moon"])
      })
    )
  )

  it.effect("without an attached user the call parks, later ordered calls are not run, and the turn suspends", () =>
    run(
      Effect.gen(function* () {
        const all = Reply.toolCalls([
          { name: "append", arguments: { line: "before" } },
          { name: "launch", arguments: { target: "moon" } },
          { name: "append", arguments: { line: "after" } },
          { name: "look", arguments: { key: "a" } }
        ])
        const { session, world } = yield* begin(() => null, [all, Reply.text("I wait")])
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.status, "suspended")
        assert.deepStrictEqual(
          result.pending.map(({ tool }) => tool),
          ["launch"]
        )
        assert.deepStrictEqual(world.log, ["append before"])
        const notRun = (yield* ended(session.sessionId)).filter(({ outcome }) => outcome._tag === "NotRun")
        assert.deepStrictEqual(
          notRun.map(({ outcome }) => (outcome._tag === "NotRun" ? outcome.reason : "")),
          ["deferred: not run, ask again"]
        )
      })
    )
  )

  it.effect("a parked call that is approved from elsewhere runs when the session is opened again", () =>
    run(
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const { request, sessionId, world } = yield* parked
        yield* store.submit(Inbox.toDecisionRow(request, { ...World.approved, principal: "grace" }))
        const { scripted, session } = yield* begin(() => null, [Reply.text("it flew")], sessionId, world)
        const result = yield* session.resume
        assert.strictEqual(result?.status, "completed")
        assert.deepStrictEqual(world.log, ["launch moon"])
        const last = (yield* scripted.script.prompts)[0].messages.at(-1)
        assert.match(last?._tag === "User" ? last.text : "", /deferred call launch/)
      })
    )
  )

  it.effect("a parked request is shown again, under the same id, to the next attached user", () =>
    run(
      Effect.gen(function* () {
        const { request, sessionId, world } = yield* parked
        const shown: Array<string> = []
        const { session } = yield* begin(
          () => (request) => {
            shown.push(request.approvalId)
            return World.approve()
          },
          [Reply.text("it flew")],
          sessionId,
          world
        )
        yield* session.resume
        assert.deepStrictEqual(shown, [request.approvalId])
        assert.deepStrictEqual(world.log, ["launch moon"])
      })
    )
  )

  it.effect("an approval lapses with the version of its tool", () =>
    run(
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const { request: old, sessionId, world } = yield* parked
        yield* store.submit(Inbox.toDecisionRow(old, { ...World.approved, principal: "grace" }))
        const reopened = (answer: Answering) =>
          Effect.scoped(
            Effect.gen(function* () {
              const agent = World.agentOf(world)
              const { launch, ...others } = World.tools(world).tools
              const pack = ToolPack.make({ ...launch, version: 2 }, ...Object.values(others))
              const scripted = yield* ScriptedModel.make([Reply.text("well")])
              const session = yield* World.openSession({
                agent: {
                  ...agent,
                  tools: SampleAgent.toolsOf({ kind: "Main", pack })
                },
                scripted,
                channel: World.channelOf([], answer),
                sessionId
              })
              return yield* session.resume
            })
          )
        yield* reopened(null)
        assert.deepStrictEqual(world.log, [])
        const [asked, ...more] = yield* store.pendingApprovals(null)
        assert.deepStrictEqual(more, [])
        assert.notStrictEqual(asked.approvalId, old.approvalId)
        assert.deepStrictEqual([old.version, asked.version], [1, 2])
        assert.deepStrictEqual(yield* decisions(sessionId), ["Lapsed"])
        yield* reopened(World.approve)
        assert.deepStrictEqual(world.log, ["launch moon"])
        assert.deepStrictEqual(yield* decisions(sessionId), ["Lapsed", "Approved"])
      })
    )
  )

  /** Changes since the request; with the old id the user would approve something else. */
  const changes: Readonly<Record<string, (launch: World.Launch, world: World.World) => Tool.Any>> = {
    "the version of the tool": (launch) => ({ ...launch, version: 2 }),
    "the tier of the call": (launch) => ({ ...launch, tier: "Workspace" }),
    "what the arguments say": (launch) => ({
      ...launch,
      parameters: Schema.Struct({
        target: Schema.String,
        height: Schema.Number.pipe(Schema.withDecodingDefaultKey(Effect.succeed(7)))
      })
    }),
    "what the preview shows": (launch, world) => {
      world.values.set("aim", "elsewhere")
      return launch
    }
  }
  it.effect.each(Object.entries(changes))("a parked request is not shown again if %s has changed", ([, change]) =>
    run(
      Effect.gen(function* () {
        const { request: old, sessionId, world } = yield* parked
        const { launch, ...others } = World.tools(world).tools
        const pack = ToolPack.make(change(launch, world), ...Object.values(others))
        const shown: Array<string> = []
        const session = yield* World.openSession({
          agent: {
            ...World.agentOf(world),
            tools: SampleAgent.toolsOf({ kind: "Main", pack }),
            policy: { rules: [Result.getOrThrow(RuleText.parse("ask launch"))], approve: "ask" }
          },
          scripted: yield* ScriptedModel.make([Reply.text("it flew")]),
          channel: World.channelOf([], ({ approvalId }) => {
            shown.push(approvalId)
            return World.approve()
          }),
          sessionId
        })
        yield* session.resume
        assert.lengthOf(shown, 1)
        assert.notInclude(shown, old.approvalId)
        assert.deepStrictEqual(yield* decisions(sessionId), ["Lapsed", "Approved"])
        assert.deepStrictEqual(world.log, ["launch moon"])
      })
    )
  )

  it.effect("a call that had not started when its process leaves stays open for the next owner, of a Main too", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        yield* world.gate.close
        const two = Reply.toolCalls(["1", "2"].map((line) => ({ name: "append", arguments: { line } })))
        const opened = (isLeaving: boolean) =>
          Effect.gen(function* () {
            const session = yield* World.openSession({
              agent: World.agentOf(world),
              scripted: yield* ScriptedModel.make([two, Reply.text("done")]),
              channel: World.channelOf([], null),
              isLeaving: () => isLeaving
            })
            const running = yield* Effect.forkChild(session.run(World.say("go")))
            yield* TestClock.adjust(1)
            assert.strictEqual(world.running, 1)
            yield* Fiber.interrupt(running)
            return (yield* ended(session.sessionId)).map(({ outcome }) => outcome._tag)
          })
        assert.deepStrictEqual(yield* opened(true), ["Unknown"])
        // If it does not leave, the interruption ends both.
        assert.lengthOf(yield* opened(false), 2)
      })
    )
  )

  it.effect("an undecided request is denied at its deadline", () =>
    run(
      Effect.gen(function* () {
        const { session, world } = yield* begin(
          () => () => Effect.never,
          [launch, Reply.text("I wait"), Reply.text("pity")]
        )
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("8 days")
        assert.strictEqual((yield* Fiber.join(fiber)).text, "pity")
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Expired"])
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect("always, for this session: the rule covers the next call of the same kind", () =>
    run(
      Effect.gen(function* () {
        let askCount = 0
        const { session, world } = yield* begin(
          () => () => {
            askCount += 1
            return Effect.succeed({
              decision: { _tag: "Approved", rule: 'launch target="moon"' },
              principal: "ada"
            })
          },
          [launch, Reply.text("one"), launch, Reply.text("two")]
        )
        yield* session.run(World.say("go"))
        yield* session.run(World.say("again"))
        assert.strictEqual(askCount, 1)
        assert.deepStrictEqual(world.log, ["launch moon", "launch moon"])
        const store = yield* SessionStore.SessionStore
        const tags = (yield* store.entries(session.sessionId, 0, 1000)).map(({ body }) => body._tag)
        assert.notInclude(tags, "RuleGiven", "the decision itself records the rule")
        const authority = (yield* ended(session.sessionId))[1].receipt?.authority
        assert.strictEqual(authority?._tag, "Rule")
      })
    )
  )

  it.effect("an interruption while an approval is pending closes the request", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin(() => () => Effect.never, [launch, Reply.text("fine")])
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust(1)
        yield* Fiber.interrupt(fiber)
        const store = yield* SessionStore.SessionStore
        assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Withdrawn"])
        assert.strictEqual((yield* session.run(World.say("next"))).text, "fine")
      })
    )
  )
})
