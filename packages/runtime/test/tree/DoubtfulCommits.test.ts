/**
 * A store that reports a failure of a commit which it has written: the session reads its end again and continues in the
 * same process, and no effect happens twice. Every commit of a tree with an approval and a Branch fails once.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Model, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall } = Reply

/** The replies of each session, by the first line of its task. */
const plans: Readonly<Record<string, ReadonlyArray<Reply.Reply>>> = {
  go: [
    toolCall("append", { line: "1" }),
    toolCall("put", { key: "k", value: "v" }),
    toolCall("launch", { target: "moon" }),
    toolCall("spawn_branch", { task: "low" }),
    toolCall("wait_for_sessions"),
    toolCall("append", { line: "2" }),
    text("all done")
  ],
  low: [toolCall("look", { key: "k" }), toolCall("append", { line: "low" }), text("low done")]
}

/** Replies by the number of results since the task, so that a request that is repeated gets the same reply. */
const model: Model.Model["Service"] = {
  name: "planned/model",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const tasks = messages.map((message) => (message._tag === "User" ? message.text.split("\n", 1)[0] : ""))
    const from = tasks.findLastIndex((task) => task in plans)
    const results = messages.slice(from).filter(({ _tag }) => _tag === "ToolResult").length
    const plan = plans[tasks[from]]
    return Stream.fromIterable(plan[Math.min(results, plan.length - 1)] as ReadonlyArray<Model.ModelPart>)
  }
}

const odd = new SessionStore.StoreFailed({ operation: "commit", message: "odd", hint: "" })

interface Oddity {
  /** The number of the commit that fails; 0: none. */
  readonly at: number
  readonly when: "before" | "after"
  /** True if the first read after it fails too. */
  readonly unreadable: boolean
}

/** Counts the commits and lets one of them fail. */
const oddStore = ({ at, unreadable, when }: Oddity, counted: { commits: number; failedReads: number }) =>
  Layer.effect(
    SessionStore.SessionStore,
    Effect.map(SessionStore.SessionStore, (inner) =>
      SessionStore.SessionStore.of({
        ...inner,
        commit: (batch) =>
          Effect.suspend(() => {
            counted.commits += 1
            if (counted.commits !== at) return inner.commit(batch)
            return when === "before" ? Effect.fail(odd) : Effect.andThen(inner.commit(batch), Effect.fail(odd))
          }),
        entries: (sessionId, fromSeq, limit) =>
          Effect.suspend(() => {
            if (!unreadable || counted.commits !== at || counted.failedReads > 0)
              return inner.entries(sessionId, fromSeq, limit)
            counted.failedReads += 1
            return Effect.fail(odd)
          })
      })
    )
  )

const sender = { key: "once" }

/** Runs the tree until it has ended, over the same open session. */
const play = (oddity: Oddity) =>
  Effect.gen(function* () {
    const counted = { commits: 0, failedReads: 0 }
    const stores = Layer.provideMerge(oddStore(oddity, counted), World.stores)
    const outcome = yield* Effect.scoped(
      Effect.gen(function* () {
        let askCount = 0
        const world = World.makeWorld()
        const ask = () => Effect.sync(() => ((askCount += 1), World.approved))
        const { session } = yield* Grove.openWith({ world, model, ask })
        const failures: Array<string> = []
        for (let round = 0; round < 6; round++) {
          const exit = yield* Effect.exit(session.run(World.say("go"), sender))
          if (Exit.isSuccess(exit) && exit.value.text === "all done") break
          failures.push(Exit.isSuccess(exit) ? exit.value.status : String(exit.cause))
        }
        const store = yield* SessionStore.SessionStore
        const entries = yield* Grove.tree(store, session.sessionId)
        const text = (yield* session.run(World.say("go"), sender)).text
        return { asked: askCount, entries, failures, log: world.log, main: session.sessionId, text }
      })
    ).pipe(Effect.provide(stores))
    return { ...outcome, commits: counted.commits }
  })

const check = (oddity: Oddity) =>
  Effect.gen(function* () {
    const { asked, entries, failures, log, main, text } = yield* play(oddity)
    const context = JSON.stringify({ oddity, failures, log, asked })
    assert.strictEqual(text, "all done", context)
    assert.isFalse(
      failures.some((failure) => failure.includes("LeaseLost")),
      context
    )
    assert.isAtMost(failures.length, oddity.unreadable ? 2 : 1, context)
    assert.strictEqual(new Set(log).size, log.length, context)
    const bodies = (entries.get(main) ?? []).map(({ body }) => body)
    assert.lengthOf(
      bodies.filter(({ _tag }) => _tag === "UserMessage"),
      1,
      context
    )
    // A reply or a result that was written is not requested or recorded again.
    const ended = bodies.flatMap((body) => (body._tag === "CallEnded" ? [body.toolCallId] : []))
    assert.strictEqual(new Set(ended).size, ended.length, context)
  })

describe("A commit that was written and reported as failed", () => {
  it.live("does not end the ownership of a tree, at any of its commits", () =>
    Effect.gen(function* () {
      const { commits, failures, log } = yield* play({ at: 0, when: "after", unreadable: false })
      assert.deepStrictEqual(failures, [])
      assert.sameMembers(log, ["append 1", "put k", "launch moon", "append low", "append 2"])
      assert.isAbove(commits, 20)
      for (let at = 1; at <= commits; at++) {
        yield* check({ at, when: "after", unreadable: false })
        yield* check(at % 2 === 0 ? { at, when: "after", unreadable: true } : { at, when: "before", unreadable: false })
      }
    })
  )
})
