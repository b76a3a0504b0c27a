/** Forks: a new Main from another's entries, with nothing that was decided or pending there. */
import type { Approval, Entry, Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Channel, Fork, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Grove from "../tree/grove.ts"
import * as World from "./world.ts"

const begin = Effect.fnUntraced(function* (
  steps: ReadonlyArray<Reply.Reply>,
  sessionId: string | null = null,
  isAttended = true
) {
  const world = World.makeWorld()
  const scripted = yield* ScriptedModel.make(steps)
  const events: Array<Event.Event> = []
  const channel = World.channelOf(events, isAttended ? World.approve : null)
  const session = yield* World.openSession({ agent: World.agentOf(world), scripted, channel, sessionId })
  return { world, scripted, session }
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const bodiesOf = Effect.fnUntraced(function* (
  sessionId: Parameters<SessionStore.SessionStore["Service"]["entries"]>[0]
) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.entries(sessionId, 0, 1000)).map(({ body }) => body)
})

describe("Fork", () => {
  it.effect("a fork continues from the same prompt, and the original stays unchanged", () =>
    run(
      Effect.gen(function* () {
        const original = yield* begin([Reply.toolCall("append", { line: "x" }), Reply.text("done")])
        yield* original.session.run(World.say("go"))
        const before = yield* bodiesOf(original.session.sessionId)
        const forkId = yield* Fork.fork(original.session.sessionId, null)
        const fork = yield* begin([Reply.text("on")], forkId)
        yield* fork.session.run(World.say("more"))
        const messages = (yield* fork.scripted.script.prompts)[0].messages
        assert.deepStrictEqual(
          messages.map((message) => message._tag),
          ["User", "Assistant", "ToolResult", "Assistant", "User"]
        )
        assert.deepStrictEqual(yield* bodiesOf(original.session.sessionId), before)
      })
    )
  )

  it.effect("its title says that it is one, and a fork of it is numbered", () =>
    run(
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const { session } = yield* begin([Reply.text("one")])
        yield* session.run(World.say("fix the build"))
        const first = yield* Fork.fork(session.sessionId, null)
        const second = yield* Fork.fork(first, null)
        const third = yield* Fork.fork(second, null)
        const untitled = yield* Fork.fork(first, 0)
        const titles = yield* Effect.forEach([session.sessionId, first, second, third], (id) =>
          Effect.map(store.session(id), ({ title }) => title)
        )
        assert.deepStrictEqual(titles, [
          "fix the build",
          "fix the build (fork)",
          "fix the build (fork 2)",
          "fix the build (fork 3)"
        ])
        // The first message after a fork from before all messages titles it.
        const renamed = yield* begin([Reply.text("two")], untitled)
        yield* renamed.session.run(World.say("another task"))
        assert.strictEqual((yield* store.session(untitled)).title, "another task")
      })
    )
  )

  it.effect("its origin names the entry that it was forked from", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin([Reply.text("one"), Reply.text("two")])
        yield* session.run(World.say("a"))
        yield* session.run(World.say("b"))
        const forkId = yield* Fork.fork(session.sessionId, 3)
        const [opened, ...rest] = yield* bodiesOf(forkId)
        assert.deepStrictEqual(opened._tag === "SessionOpened" ? opened.origin : null, {
          _tag: "Main",
          forkedFrom: { sessionId: session.sessionId, entryId: `${session.sessionId}/3` as never }
        })
        assert.strictEqual(rest.filter(({ _tag }) => _tag === "UserMessage").length, 1)
      })
    )
  )

  it.effect("a pending call is not run here, and its approval stays in the original", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin(
          [Reply.toolCall("launch", { target: "moon" }), Reply.text("I wait")],
          null,
          false
        )
        yield* session.run(World.say("go"))
        const forkId = yield* Fork.fork(session.sessionId, null)
        const bodies = yield* bodiesOf(forkId)
        assert.isFalse(bodies.some(({ _tag }) => _tag === "ApprovalAsked" || _tag === "CallStarted"))
        const ended = bodies.find((body) => body._tag === "CallEnded")
        assert.deepStrictEqual(ended?._tag === "CallEnded" ? ended.outcome : null, {
          _tag: "NotRun",
          reason: "not run in this fork"
        })
        const store = yield* SessionStore.SessionStore
        assert.strictEqual((yield* store.pendingApprovals(session.sessionId)).length, 1)
        assert.strictEqual((yield* store.pendingApprovals(forkId)).length, 0)
      })
    )
  )

  it.effect("copies no intent, approval, rule or child of the original", () =>
    run(
      Effect.gen(function* () {
        const rule = "launch target=moon"
        // Always for the Branch's call, once for the Main's.
        const answer = ({ arguments: callArguments }: Approval.Request): Channel.ChannelAnswer => ({
          decision: { _tag: "Approved", rule: callArguments.includes("moon") ? rule : null },
          principal: "ada"
        })
        const cast = {
          go: [
            Reply.toolCalls([
              { name: "launch", arguments: { target: "mars" } },
              { name: "spawn_branch", arguments: { task: "below" } }
            ]),
            Reply.text("waiting"),
            Reply.text("done")
          ],
          below: [Reply.toolCall("launch", { target: "moon" }), Reply.text("there")]
        }
        const { sessionId } = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.open({ cast, ask: (request) => Effect.succeed(answer(request)) })
            yield* session.run(World.say("go"))
            return session
          })
        )
        const store = yield* SessionStore.SessionStore
        const command = { _tag: "RevokeRule", rule } as const
        yield* store.submit({ treeId: sessionId, dedupeKey: "revoke", command, principal: "ada" })
        yield* Effect.scoped(Grove.open({ cast: {}, sessionId }))
        const stays: ReadonlyArray<Entry.Body["_tag"]> = [
          "ApprovalAsked",
          "ApprovalDecided",
          "CallStarted",
          "ChildSpawned",
          "RuleGiven",
          "RuleRevoked"
        ]
        const tagsOf = (bodies: ReadonlyArray<Entry.Body>) => new Set(bodies.map(({ _tag }) => _tag))
        const original = tagsOf(yield* bodiesOf(sessionId))
        assert.deepStrictEqual(
          stays.filter((tag) => !original.has(tag)),
          []
        )
        const fork = tagsOf(yield* bodiesOf(yield* Fork.fork(sessionId, null)))
        assert.deepStrictEqual(
          stays.filter((tag) => fork.has(tag)),
          []
        )
        for (const tag of ["UserMessage", "CallEnded", "ChildEnded"] as const) assert.isTrue(fork.has(tag), tag)
      })
    )
  )

  it.effect("inside a step there is no fork", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin([
          Reply.toolCalls([
            { name: "append", arguments: { line: "1" } },
            { name: "append", arguments: { line: "2" } }
          ]),
          Reply.text("done")
        ])
        yield* session.run(World.say("go"))
        const firstEnd = (yield* bodiesOf(session.sessionId)).findIndex(({ _tag }) => _tag === "CallEnded")
        const error = yield* Effect.flip(Fork.fork(session.sessionId, firstEnd))
        assert.strictEqual(error._tag, "NotAStepBoundary")
      })
    )
  )

  it.effect("there is no fork of an entry that the session lacks", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin([Reply.text("done")])
        yield* session.run(World.say("go"))
        const last = (yield* bodiesOf(session.sessionId)).length - 1
        for (const at of [-1, last + 1]) {
          const error = yield* Effect.flip(Fork.fork(session.sessionId, at))
          assert.strictEqual(error._tag, "NotAStepBoundary")
        }
        yield* Fork.fork(session.sessionId, last)
      })
    )
  )
})
