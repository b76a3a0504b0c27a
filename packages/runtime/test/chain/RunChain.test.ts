/** Tests of chains: each link is a call like any other, with its own approval, labels, record and continuation. */
import { RunChain } from "@bough/pack-session"
import { type Approval, type Entry, Session as SessionData } from "@bough/protocol"
import { ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Agent, type Channel, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Crash from "../session/crash.ts"
import * as TaintWorld from "../session/taintWorld.ts"
import * as World from "../session/world.ts"
import * as Steady from "../tree/steady.ts"

const pack = ToolPack.make(RunChain)
const from = (name: string, at: string) => ({ $from: name, at })
const link = (name: string, tool: string, parameters: Readonly<Record<string, unknown>>) => ({
  name,
  tool,
  arguments: parameters
})
const chain = (...links: ReadonlyArray<ReturnType<typeof link>>) => Reply.toolCall("run_chain", { links })

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

type Answer = ((request: Approval.Request) => Effect.Effect<Channel.ChannelAnswer>) | null

interface Played {
  readonly steps: ReadonlyArray<Reply.Reply>
  readonly answer?: Answer
  readonly agent?: Partial<Agent.Agent>
  readonly world?: World.World
}

const play = Effect.fnUntraced(function* ({ agent = {}, answer = World.approve, steps, ...given }: Played) {
  const world = given.world ?? World.makeWorld()
  const approvalRequests: Array<Approval.Request> = []
  const channel = World.channelOf(
    [],
    answer === null
      ? null
      : (request) => {
          approvalRequests.push(request)
          return answer(request)
        }
  )
  const session = yield* World.openWith({
    agent: { ...TaintWorld.agentOf(world, "Main", pack), ...agent },
    model: Steady.make({ [`read ${TaintWorld.page}`]: [...steps, Reply.text("done")] }),
    channel
  })
  yield* session.run(World.say(`read ${TaintWorld.page}`))
  const store = yield* SessionStore.SessionStore
  const entries = yield* store.entries(session.sessionId, 0, 1000)
  return { asked: approvalRequests, entries, ended: endsOf(entries), world }
})

const endsOf = (entries: ReadonlyArray<Entry.Entry>) =>
  entries.flatMap(({ body }) => (body._tag === "CallEnded" ? [body] : []))

const outcomesOf = (ended: ReturnType<typeof endsOf>) =>
  ended.map(({ outcome, tool, toolCallId }) => [SessionData.linkOf(toolCallId)?.link ?? tool, outcome._tag])

const textOf = (ended: ReturnType<typeof endsOf>): string => {
  const last = ended.findLast(({ tool }) => tool === "run_chain")?.outcome
  return last?._tag === "Succeeded" ? (last.text ?? last.output) : JSON.stringify(last)
}

const denied = (): Effect.Effect<Channel.ChannelAnswer> =>
  Effect.succeed({ decision: { _tag: "Denied", words: "no" }, principal: "ada" })

const works = chain(
  link("last", "look", { key: from("set", "/value") }),
  link("first", "look", { key: "a" }),
  link("set", "put", { key: "b", value: from("first", "/value") })
)

describe("a chain", () => {
  it.effect("passes outputs on, and records a receipt for each link", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        world.values.set("a", "b")
        const { asked, ended } = yield* play({ steps: [works], world })
        assert.deepStrictEqual(world.log, ["put b"])
        assert.deepStrictEqual(outcomesOf(ended), [
          ["first", "Succeeded"],
          ["set", "Succeeded"],
          ["last", "Succeeded"],
          ["run_chain", "Succeeded"]
        ])
        assert.lengthOf(asked, 0)
        assert.deepStrictEqual(ended.map(({ receipt }) => receipt?.arguments ?? null).slice(0, 3), [
          '{"key":"a"}',
          '{"key":"b","value":"b"}',
          '{"key":"b"}'
        ])
        assert.strictEqual(
          textOf(ended),
          '[first: look succeeded]\nLooked at a\n\n[set: put succeeded]\nSet b\n\n[last: look succeeded]\n{"value":"b"}'
        )
      })
    )
  )

  it.effect("runs nothing if a link is wrong, and names the field", () =>
    run(
      Effect.gen(function* () {
        const wrong = chain(
          link("one", "append", { line: "x" }),
          link("two", "put", { key: "a", value: from("one", "/val") })
        )
        const { ended, world } = yield* play({ steps: [wrong] })
        assert.lengthOf(world.log, 0)
        assert.lengthOf(ended, 1)
        const { outcome } = ended[0]
        assert.deepInclude(outcome._tag === "Failed" ? outcome.error : {}, {
          _tag: "ValidationError",
          field: "links.1.arguments.value"
        })
      })
    )
  )

  it.effect("refuses arguments that are longer than a model would write", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        world.values.set("a", "x".repeat(300_000))
        const { ended } = yield* play({
          steps: [
            chain(link("long", "look", { key: "a" }), link("put", "put", { key: "b", value: from("long", "/value") }))
          ],
          world
        })
        assert.lengthOf(world.log, 0)
        assert.match(textOf(ended), /\[put: put not run\]\nits arguments have 3000\d\d characters/)
      })
    )
  )

  it.effect("refuses as links itself and the tools that belong to the session", () =>
    run(
      Effect.gen(function* () {
        for (const tool of ["run_chain", "read_earlier", "return_result", "use_tools"]) {
          const { ended } = yield* play({ steps: [chain(link("one", tool, {}))] })
          assert.match(JSON.stringify(ended[0].outcome), /links\.0\.tool/, tool)
        }
      })
    )
  )

  it.effect("a failed link ends those that refer to it, and no others", () =>
    run(
      Effect.gen(function* () {
        const { ended, world } = yield* play({
          steps: [
            chain(
              link("bad", "fail", {}),
              link("after", "put", { key: "a", value: from("bad", "/value") }),
              link("then", "look", { key: from("after", "/value") }),
              link("other", "append", { line: "x" })
            )
          ]
        })
        assert.deepStrictEqual(world.log, ["append x"])
        assert.deepStrictEqual(outcomesOf(ended), [
          ["bad", "Failed"],
          ["other", "Succeeded"],
          ["run_chain", "Succeeded"]
        ])
        assert.match(textOf(ended), /\[after: put not run\]\nbad gave no output/)
        assert.match(textOf(ended), /\[then: look not run\]\nafter gave no output/)
      })
    )
  )
})

const launching = chain(
  link("where", "look", { key: "a" }),
  link("fire", "launch", { target: from("where", "/value") })
)

describe("a chain allows nothing that a single call would not", () => {
  it.effect("it asks with the link's arguments, and runs the approved call once", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        world.values.set("a", "moon")
        const { asked, ended } = yield* play({ steps: [launching], world })
        assert.deepStrictEqual(
          asked.map(({ arguments: callArguments, tool }) => [tool, callArguments]),
          [["launch", '{"target":"moon"}']]
        )
        assert.deepStrictEqual(world.log, ["launch moon"])
        assert.strictEqual(ended.find(({ tool }) => tool === "launch")?.receipt?.authority._tag, "User")
      })
    )
  )

  it.effect("does not run if it is denied or no user can be asked", () =>
    run(
      Effect.gen(function* () {
        for (const answer of [denied, null]) {
          const { entries, world } = yield* play({ steps: [launching], answer })
          assert.lengthOf(world.log, 0)
          const pending = entries.filter(({ body }) => body._tag === "ApprovalAsked").length
          const decided = entries.filter(({ body }) => body._tag === "ApprovalDecided").length
          assert.strictEqual(pending, decided, "a request of a chain that is over stays open")
        }
      })
    )
  )

  it.effect("a rule denies a link as it denies the call", () =>
    run(
      Effect.gen(function* () {
        const rule = { effect: "deny", tool: "put", fields: [], text: "deny put" } as const
        const { ended, world } = yield* play({
          steps: [works],
          agent: { policy: { rules: [rule], approve: "ask" } }
        })
        assert.lengthOf(world.log, 0)
        assert.deepInclude(outcomesOf(ended), ["set", "Rejected"])
      })
    )
  )

  it.effect("the labels of a link apply to those after it: private text goes to no new host unasked", () =>
    run(
      Effect.gen(function* () {
        const steal = (url: unknown) => link("steal", "visit", { url })
        const secret = link("secret", "open_file", { path: ".env" })
        const page = link("page", "visit", { url: TaintWorld.page })
        const alone = yield* play({
          steps: [
            Reply.toolCall("open_file", { path: ".env" }),
            Reply.toolCall("visit", { url: TaintWorld.page }),
            Reply.toolCall("visit", { url: TaintWorld.stolen })
          ],
          answer: denied
        })
        const chained = yield* play({ steps: [chain(secret, page, steal(TaintWorld.stolen))], answer: denied })
        for (const { asked, world } of [alone, chained]) {
          assert.deepStrictEqual(world.log, [`visit ${TaintWorld.page}`])
          assert.lengthOf(asked, 1)
          assert.strictEqual(asked[0].arguments, JSON.stringify({ url: TaintWorld.stolen }))
        }
        // The text of a file as an address, and as the query of a search.
        const leaked = yield* play({
          steps: [chain(secret, page, link("leak", "find", { query: from("secret", "/text") }))],
          answer: denied
        })
        assert.deepStrictEqual(leaked.world.log, [`visit ${TaintWorld.page}`])
        assert.lengthOf(leaked.asked, 1)
        const ends = chained.entries.filter(({ body }) => body._tag === "CallEnded")
        assert.includeMembers([...(ends.at(-1)?.labels ?? [])], ["private", "untrusted"])
      })
    )
  )
})

describe("after a crash", () => {
  const effects = chain(
    link("set", "put", { key: "a", value: "1" }),
    link("line", "append", { line: from("set", "/value") }),
    link("see", "look", { key: "a" })
  )

  /** Returns false once no write is left to die at. */
  const dieAt = Effect.fnUntraced(function* (at: number, when: Crash.When) {
    const inner = yield* SessionStore.SessionStore
    const world = World.makeWorld()
    const crash = Crash.make(inner, at, when)
    const process = (store: typeof inner, sessionId: string | null) =>
      Effect.gen(function* () {
        const session = yield* World.openWith({
          agent: TaintWorld.agentOf(world, "Main", pack),
          model: Steady.make({ go: [effects, Reply.text("done")] }),
          channel: World.channelOf([], null),
          sessionId
        })
        yield* sessionId === null ? session.run(World.say("go")) : session.resume
      }).pipe(Effect.scoped, Effect.provideService(SessionStore.SessionStore, store))
    yield* Effect.exit(process(crash.store, null))
    yield* crash.bury
    const [known] = yield* inner.list({ workspaceRoot: null, limit: 1 })
    if (known === undefined) return crash.isDead()
    if (crash.isDead()) yield* process(inner, known.sessionId)
    const ended = endsOf(yield* inner.entries(known.sessionId, 0, 1000))
    const place = `killed ${when} write ${at}`
    const appended = world.log.filter((line) => line === "append 1").length
    assert.isAtMost(appended, 1, place)
    assert.strictEqual(new Set(ended.map(({ toolCallId }) => toolCallId)).size, ended.length, place)
    if (!ended.some(({ tool }) => tool === "run_chain")) return crash.isDead()
    const line = ended.filter(({ tool }) => tool === "append")
    assert.lengthOf(line, 1, place)
    if (line[0].outcome._tag === "Succeeded") assert.strictEqual(appended, 1, place)
    else assert.strictEqual(line[0].outcome._tag, "Unknown", place)
    assert.strictEqual(world.values.get("a"), "1", place)
    chains += 1
    return crash.isDead()
  })
  let chains = 0

  it.effect("at any write, each link continues by its own replay class, and none twice that must not", () =>
    Effect.gen(function* () {
      for (const when of ["before", "after"] as const) {
        for (let at = 1; yield* run(dieAt(at, when)); at++);
      }
      assert.isAbove(chains, 10)
    })
  )
})
