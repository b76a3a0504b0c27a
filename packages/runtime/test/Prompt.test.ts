/** The prompt as a fold: the entries that a summary removes, and the invariants for any journal. */
import { Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as CompactionRange from "../src/compaction/CompactionRange.ts"
import * as Prompt from "../src/journal/Prompt.ts"
import * as SessionState from "../src/journal/SessionState.ts"
import type { PromptMessage } from "../src/ports/Model.ts"

const usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
const callId = (name: number) => Session.ToolCallId.make(`c${name}`)

const userMessage = (text: string): Entry.Body => ({
  _tag: "UserMessage",
  text,
  media: [],
  principal: "ada",
  messageId: text
})
const context = (text: string): Entry.Body => ({ _tag: "ContextAdded", source: "AGENTS.md", text, digest: text })
const replied = (text: string, calls: ReadonlyArray<number> = []): Entry.Body => ({
  _tag: "ModelReplied",
  turn: 1,
  step: 1,
  completion: "complete",
  parts: [
    { _tag: "Text", text },
    ...calls.map((name) => ({
      _tag: "ToolCall" as const,
      toolCallId: callId(name),
      providerCallId: `p${name}`,
      name: "look",
      arguments: "{}"
    }))
  ],
  usage
})
const ended = (name: number, output = "seen"): Entry.Body => ({
  _tag: "CallEnded",
  toolCallId: callId(name),
  tool: "look",
  outcome: { _tag: "Succeeded", output, outputBlob: null, media: [], display: "" },
  receipt: null
})
const deferred = (name: number): Entry.Body => ({
  _tag: "CallDeferred",
  toolCallId: callId(name),
  approvalId: Session.ApprovalId.make("a")
})
const started = (purpose?: "compaction"): Entry.Body => ({
  _tag: "StepStarted",
  turn: 1,
  step: 1,
  model: "m",
  reservedTokens: 1,
  ...(purpose === undefined ? {} : { purpose })
})
const compacted = (fromSeq: number, throughSeq: number): Entry.BodyOf<"Compacted"> => ({
  _tag: "Compacted",
  fromSeq,
  throughSeq,
  summary: "short"
})

const fold = (bodies: ReadonlyArray<Entry.Body>): Prompt.PromptState => {
  const state = Prompt.empty()
  bodies.forEach((body, seq) => Prompt.append(state, { body, seq }))
  return state
}

const stateOf = (bodies: ReadonlyArray<Entry.Body>): SessionState.SessionState => {
  const state = SessionState.empty()
  bodies.forEach((body, seq) => SessionState.append(state, { body, seq, labels: [] }))
  return state
}

/** The first result that has no call of the same id before it. */
const orphan = (messages: ReadonlyArray<PromptMessage>): string | null => {
  const made = new Set<string>()
  for (const message of messages) {
    for (const id of Prompt.callsOf(message)) made.add(id)
    if (message._tag === "ToolResult" && !made.has(message.toolCallId)) return message.toolCallId
  }
  return null
}

const summaryOf = (throughSeq: number): PromptMessage => ({
  _tag: "User",
  text: Prompt.summaryText(compacted(0, throughSeq)),
  media: []
})

/** The next events, as numbers, so that any list of them is a journal that a session could have written. */
const journalOf = (moves: ReadonlyArray<number>): ReadonlyArray<Entry.Body> => {
  const bodies: Array<Entry.Body> = []
  const open: Array<{ readonly name: number; deferred: boolean }> = []
  let calls = 0
  for (const move of moves) {
    const kind = move % 7
    const waiting = open[move % Math.max(1, open.length)]
    if (kind === 0) bodies.push(userMessage(`say ${bodies.length}`))
    if (kind === 1) bodies.push(context(`follow ${bodies.length}`))
    if (kind === 2 || kind === 3) {
      const names = Array.from({ length: move % 4 }, () => calls++)
      bodies.push(started(), replied(`reply ${bodies.length}`, names))
      open.push(...names.map((name) => ({ name, deferred: false })))
    }
    if ((kind === 4 || kind === 5) && waiting !== undefined) {
      bodies.push(ended(waiting.name, `result ${waiting.name}`))
      open.splice(open.indexOf(waiting), 1)
    }
    if (kind === 6 && waiting !== undefined && !waiting.deferred) {
      bodies.push(deferred(waiting.name))
      waiting.deferred = true
    }
  }
  return bodies
}

const moves = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))).check(
  Schema.isMaxLength(60)
)
const number = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))

describe("Prompt", () => {
  it("reads a summary in place of its range, instructions before it and the rest after it unchanged", () => {
    const before = [
      userMessage("one"),
      context("rules"),
      replied("two", [1]),
      ended(1),
      userMessage("three"),
      replied("four")
    ]
    const whole = fold(before)
    const { characters, messages } = fold([...before, compacted(0, 3), userMessage("five")])
    assert.deepStrictEqual(messages, [
      whole.messages[1],
      summaryOf(3),
      ...whole.messages.slice(4),
      { _tag: "User", text: "five", media: [] }
    ])
    assert.strictEqual(
      characters,
      messages.reduce((sum, message) => sum + Prompt.charactersOf(message), 0)
    )
  })

  it("a summary leaves preferences in place, and includes recalled notes", () => {
    const added = (source: string): Entry.Body => ({ _tag: "ContextAdded", source, text: source, digest: source })
    const before = [added("preferences"), added("memory"), userMessage("one"), replied("two")]
    assert.deepStrictEqual(fold([...before, compacted(0, 3)]).messages, [fold(before).messages[0], summaryOf(3)])
  })

  it("a second summary replaces the first", () => {
    const { messages } = fold([
      userMessage("one"),
      userMessage("two"),
      compacted(0, 0),
      userMessage("three"),
      compacted(0, 1)
    ])
    assert.deepStrictEqual(messages, [summaryOf(1), { _tag: "User", text: "three", media: [] }])
  })

  it("a summary's reply is not an answer: it is in neither the prompt nor the open turn", () => {
    const bodies = [userMessage("one"), started(), replied("two", [1]), ended(1)]
    const summarised = [...bodies, started("compaction"), replied("a summary")]
    assert.deepStrictEqual(fold(summarised).messages, fold(bodies).messages)
    const state = stateOf(summarised)
    assert.isTrue(state.turnOpen)
    assert.strictEqual(state.lastText, "two")
    assert.strictEqual(state.usage.inputTokens, 200)
  })

  it("a result leaves the prompt with its call, even if the summarised range ends before the result", () => {
    const { messages } = fold([
      userMessage("one"),
      replied("two", [1]),
      ended(1),
      userMessage("three"),
      compacted(0, 1)
    ])
    assert.deepStrictEqual(messages, [summaryOf(1), { _tag: "User", text: "three", media: [] }])
  })

  it("the result of a call that has left comes as a message of its own", () => {
    const { messages } = fold([
      userMessage("one"),
      replied("two", [1]),
      userMessage("three"),
      compacted(0, 1),
      ended(1, "late")
    ])
    const last = messages.at(-1)
    assert.strictEqual(last?._tag, "User")
    assert.include(last?._tag === "User" ? last.text : "", "late")
  })

  it.prop(
    "every result has its call before it, whatever was summarised and wherever the journal ends",
    [moves, number, number, number],
    ([all, at, from, length]) => {
      const bodies = [...journalOf(all)]
      const place = bodies.length === 0 ? 0 : at % bodies.length
      const fromSeq = Math.min(from % (bodies.length + 1), place)
      bodies.splice(place, 0, compacted(fromSeq, Math.min(place, fromSeq + (length % 20))))
      for (let count = 0; count <= bodies.length; count++) {
        assert.isNull(orphan(fold(bodies.slice(0, count)).messages))
      }
    }
  )

  it.prop(
    "a chosen range leaves instructions, the summary and an unchanged end with every open call",
    [moves, number],
    ([all, tailCharacters]) => {
      const bodies = journalOf(all)
      const whole = fold(bodies)
      const open = new Set(stateOf(bodies).openCalls.keys())
      const range = CompactionRange.choose(whole, open, tailCharacters)
      if (range === null) return
      const { messages } = fold([...bodies, compacted(range.fromSeq, range.throughSeq)])
      const instructions = whole.messages
        .slice(0, range.end)
        .filter((_, index) => whole.sources[index].kind === "instruction")
      const tail = whole.messages.slice(range.end)
      assert.deepStrictEqual(messages, [...instructions, summaryOf(range.throughSeq), ...tail])
      assert.isAbove(tail.length, 0)
      const called = new Set(tail.flatMap(Prompt.callsOf))
      for (const toolCallId of open) assert.isTrue(called.has(toolCallId), toolCallId)
      for (const message of tail) {
        if (message._tag === "ToolResult") assert.isTrue(called.has(message.toolCallId), message.toolCallId)
      }
    }
  )

  it("finds a range in most journals, so that the property above is not vacuous", () => {
    const bodies = [
      userMessage("one"),
      replied("two", [1]),
      ended(1),
      userMessage("three"),
      replied("four", [2]),
      ended(2)
    ]
    const state = fold(bodies)
    assert.deepStrictEqual(CompactionRange.choose(state, new Set(), 0), { fromSeq: 0, throughSeq: 3, end: 4 })
    assert.deepStrictEqual(CompactionRange.choose(state, new Set(), 20), { fromSeq: 0, throughSeq: 2, end: 3 })
    assert.isNull(CompactionRange.choose(state, new Set(), 10_000))
    assert.deepStrictEqual(CompactionRange.choose(state, new Set([callId(1)]), 0), {
      fromSeq: 0,
      throughSeq: 0,
      end: 1
    })
  })
})
