/** A model's control of its child sessions, by their tools: waits for some, sends a message to one, ends one. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { Model } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply

/** Gets its child sessions, in order. */
type Move = (children: ReadonlyArray<string>) => Reply.Reply

/** The delay of each child before its one call, after which it replies with the messages that it received. */
type Tasks = Readonly<Record<string, number>>

const outputs = ({ messages }: Model.Prompt, tool: string): ReadonlyArray<string> =>
  messages.flatMap((message) => (message._tag === "ToolResult" && message.name === tool ? [message.output] : []))

/** A child is one line: `<session> <kind> <state>, <steps>: <title>`. */
const rowsIn = (output: string) =>
  output.split("\n").map((row) => {
    const [, state, title] = /^ses_\w+ Branch (\w+), \d+ steps?: (.+)$/.exec(row) ?? []
    return `${title}: ${state}`
  })

const replyParts = (reply: Reply.Reply): Stream.Stream<Model.ModelPart> =>
  Stream.fromIterable(
    reply.flatMap((piece) => (piece._tag === "Pause" || piece._tag === "Hang" || piece._tag === "Fail" ? [] : [piece]))
  )

const childSays = ({ messages }: Model.Prompt, task: string, millis: number): Stream.Stream<Model.ModelPart> => {
  if (messages.some(({ _tag }) => _tag === "Assistant")) {
    const messagesToChild = messages.flatMap((message) =>
      message._tag === "User" && message.text !== task ? [message.text] : []
    )
    return replyParts(text(`${task} is done: ${messagesToChild.join("; ")}`))
  }
  return Stream.concat(Stream.fromEffectDrain(Effect.sleep(millis)), replyParts(toolCall("look", { key: task })))
}

/** Plays the moves in a Main that first starts a Branch for each task. Returns its session and its last prompt. */
const play = Effect.fnUntraced(function* (tasks: Tasks, moves: ReadonlyArray<Move>) {
  const prompts: Array<Model.Prompt> = []
  const starts = toolCalls(Object.keys(tasks).map((task) => ({ name: "spawn_branch", arguments: { task } })))
  const model: Model.Model["Service"] = {
    name: "test/parent",
    contextTokens: null,
    priced: false,
    stream: (prompt) => {
      const task = prompt.messages.flatMap((one) => (one._tag === "User" && one.text in tasks ? [one.text] : []))[0]
      if (task !== undefined) return childSays(prompt, task, tasks[task])
      prompts.push(prompt)
      const turn = prompt.messages.filter(({ _tag }) => _tag === "Assistant").length
      const children = outputs(prompt, "spawn_branch").map((output) => output.split(" ", 1)[0])
      return replyParts(turn === 0 ? starts : (moves[turn - 1]?.(children) ?? text("ok")))
    }
  }
  const { session } = yield* Grove.openWith({ world: World.makeWorld(), model })
  const fiber = yield* Effect.forkChild(session.run(World.say("go")))
  for (let seconds = 0; seconds < 90; seconds++) yield* TestClock.adjust("1 second")
  yield* Fiber.join(fiber)
  const last = prompts.at(-1) ?? assert.fail("the model was not asked")
  return { session, last, prompts }
})

describe("a model with child sessions", () => {
  it.effect("waits for the one that it names, for as long as it says, and for all", () =>
    Grove.run(
      Effect.gen(function* () {
        const { last, prompts } = yield* play({ quick: 1000, slow: 60_000 }, [
          ([quick]) => toolCall("wait_for_sessions", { sessions: [quick] }),
          () => toolCall("wait_for_sessions", { timeoutSeconds: 5 }),
          () => toolCall("wait_for_sessions", {})
        ])
        assert.deepStrictEqual(outputs(last, "wait_for_sessions").map(rowsIn), [
          ["quick: Completed"],
          ["slow: Active"],
          ["slow: Completed"]
        ])
        // The result of the quick child arrives before the result of the slow child.
        assert.match(JSON.stringify(prompts[2].messages), /quick is done/)
        assert.notMatch(JSON.stringify(prompts[3].messages), /slow is done/)
        assert.match(JSON.stringify(last.messages), /slow is done/)
      })
    )
  )

  it.effect("lists its children, and which of them are running", () =>
    Grove.run(
      Effect.gen(function* () {
        const { last } = yield* play({ quick: 1000, slow: 60_000 }, [
          () => toolCall("list_sessions", {}),
          ([quick]) => toolCall("wait_for_sessions", { sessions: [quick] }),
          () => toolCall("list_sessions", {}),
          () => toolCall("wait_for_sessions", {}),
          () => toolCall("list_sessions", {})
        ])
        assert.deepStrictEqual(outputs(last, "list_sessions").map(rowsIn), [
          ["quick: Active", "slow: Active"],
          ["quick: Completed", "slow: Active"],
          ["quick: Completed", "slow: Completed"]
        ])
      })
    )
  )

  it.effect("sends a message to one child, ends another, and reaches no session that it has not started", () =>
    Grove.run(
      Effect.gen(function* () {
        const { last, session } = yield* play({ walker: 10_000, idler: 80_000 }, [
          ([walker, idler]) =>
            toolCalls([
              { name: "steer_session", arguments: { session: walker, text: "left, not right" } },
              { name: "cancel_session", arguments: { session: idler, reason: "enough" } },
              { name: "steer_session", arguments: { session: "ses_other", text: "hello" } },
              { name: "cancel_session", arguments: { session: "ses_other" } }
            ]),
          () => toolCall("wait_for_sessions", {})
        ])
        const ended = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual(
          ended.map(({ result }) => [result.status, result.reason, result.summary]),
          [
            ["Completed", "", "walker is done: left, not right"],
            ["Cancelled", "enough", ""]
          ]
        )
        const refused = [outputs(last, "steer_session")[1], outputs(last, "cancel_session")[1]]
        for (const output of refused) {
          assert.match(output, /has started no session ses_other; there is ses_\w+, ses_\w+/)
        }
      })
    )
  )
})
