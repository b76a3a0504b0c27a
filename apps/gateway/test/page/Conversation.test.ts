import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Conversation from "../../page/src/model/Conversation.ts"
import type { Body, Entry, Frame } from "../../page/src/model/Journal.ts"

const sessionId = "ses_a"

const entryOf = (body: Body, seq: number): Entry => ({
  id: `${sessionId}/${seq}`,
  sessionId,
  seq,
  commit: seq,
  labels: [],
  digest: "sha256:0",
  body
})

const place = { treeId: sessionId, sessionId, path: [sessionId] }
const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, costUsd: 0.25 }

const frameOf = (entry: Entry): Frame => ({
  _tag: "Entry",
  ...place,
  turn: 1,
  step: 1,
  id: `${entry.seq}.0`,
  sequence: entry.seq,
  entry
})

const delta = (step: number, part: "text" | "reasoning", text: string, whole = false): Frame => ({
  _tag: "Delta",
  ...place,
  turn: 1,
  step,
  part,
  text,
  whole
})

const callPart = (toolCallId: string) =>
  ({ _tag: "ToolCall", toolCallId, providerCallId: "p", name: "read_file", arguments: '{"path":"a.md"}' }) as const

const succeeded = (toolCallId: string): Body => ({
  _tag: "CallEnded",
  toolCallId,
  tool: "read_file",
  outcome: { _tag: "Succeeded", output: "{}", outputBlob: null, media: [], display: "Read 3 lines" },
  receipt: null
})

const userMessage = (text: string, messageId = "m1"): Body => ({
  _tag: "UserMessage",
  text,
  media: [],
  principal: "user",
  messageId
})

const replied = (step: number, parts: Extract<Body, { _tag: "ModelReplied" }>["parts"]): Body => ({
  _tag: "ModelReplied",
  turn: 1,
  step,
  completion: "complete",
  parts,
  usage
})

const watch = (frames: ReadonlyArray<Frame>, from = Conversation.empty(sessionId)) =>
  frames.reduce(Conversation.take, from)

const read = (bodies: ReadonlyArray<Body>) =>
  Conversation.takeEntries(Conversation.empty(sessionId), bodies.map(entryOf))

/** Steps as random texts and calls: `text`, `reasoning` or the number of a call. */
const Steps = Schema.Array(
  Schema.Array(
    Schema.Union([
      Schema.Struct({ part: Schema.Literals(["text", "reasoning"]), words: Schema.Array(Schema.NonEmptyString) }),
      Schema.Struct({ call: Schema.Natural })
    ])
  )
)

const played = (steps: typeof Steps.Type) => {
  const bodies: Array<Body> = [userMessage("go")]
  const frames: Array<Frame> = [frameOf(entryOf(userMessage("go"), 0))]
  const record = (body: Body): void => {
    frames.push(frameOf(entryOf(body, bodies.length)))
    bodies.push(body)
  }
  for (const [index, parts] of steps.entries()) {
    const step = index + 1
    for (const part of parts) {
      if ("part" in part) for (const words of part.words) frames.push(delta(step, part.part, words))
    }
    const calls = parts.flatMap((part, at) => ("call" in part ? [`c${step}.${at}`] : []))
    record(
      replied(
        step,
        parts.map((part, at) =>
          "call" in part
            ? callPart(`c${step}.${at}`)
            : ({ _tag: part.part === "text" ? "Text" : "Reasoning", text: part.words.join("") } as const)
        )
      )
    )
    for (const toolCallId of calls) {
      frames.push({ _tag: "ToolStarted", ...place, turn: 1, step, toolCallId, tool: "read_file", tier: "ReadOnly" })
      record(succeeded(toolCallId))
    }
  }
  return { bodies, frames }
}

/** A call without an intent has its tier from the live events alone. */
const shown = ({ items }: Conversation.Conversation) =>
  items.map((item) => (item._tag === "Call" ? { ...item, tier: null } : item))

describe("Conversation", () => {
  it.prop("looks the same whether it was watched or is read again", [Steps], ([steps]) => {
    const { bodies, frames } = played(steps)
    assert.deepStrictEqual(shown(watch(frames)), shown(read(bodies)))
  })

  it.prop("applies an entry once, however often it comes", [Steps], ([steps]) => {
    const { bodies, frames } = played(steps)
    const entries = frames.filter(({ _tag }) => _tag === "Entry")
    const once = read(bodies)
    assert.deepStrictEqual(watch([...entries, ...frames.filter(({ _tag }) => _tag === "Entry")]), once)
    assert.deepStrictEqual(watch(entries, once), once)
  })

  it.prop("gives each item a key of its own", [Steps], ([steps]) => {
    const { frames } = played(steps)
    let conversation = Conversation.empty(sessionId)
    for (const frame of frames) {
      conversation = Conversation.take(conversation, frame)
      const keys = conversation.items.map(({ key }) => key)
      assert.lengthOf(keys, new Set(keys).size)
    }
  })

  it("shows and counts what a tool asks the model", () => {
    const sampling: ReadonlyArray<Body> = [
      {
        _tag: "SamplingStarted",
        toolCallId: "t1",
        requester: "MCP server tickets",
        model: "own/model",
        reserved: usage,
        system: "",
        messages: [{ role: "user", text: "hello" }]
      },
      { _tag: "SamplingEnded", startedSeq: 0, toolCallId: "t1", model: "own/model", text: "yes", failure: null, usage }
    ]
    const { items, usage: total } = sampling.reduce(
      (before, body, seq) => Conversation.take(before, frameOf(entryOf(body, seq))),
      Conversation.empty(sessionId)
    )
    assert.deepStrictEqual(
      items.map((item) => (item._tag === "Note" ? [item.text, item.details] : [])),
      [
        ["MCP server tickets asks own/model", "user: hello"],
        ["own/model answered the tool", "yes"]
      ]
    )
    assert.strictEqual(total.inputTokens, 10)
  })

  it("keeps the key of a reply while it grows and is recorded, so that its row is not drawn again", () => {
    const live = watch([delta(1, "reasoning", "hm"), delta(1, "text", "Hel"), delta(1, "text", "lo")])
    const parts = [{ _tag: "Reasoning", text: "hm" } as const, { _tag: "Text", text: "Hello" } as const]
    const recorded = watch([frameOf(entryOf(replied(1, parts), 0))], live)
    assert.deepStrictEqual(
      live.items.map(({ key }) => key),
      recorded.items.map(({ key }) => key)
    )
    assert.isTrue(recorded.items.every((item) => item._tag === "Text" || item._tag === "Reasoning"))
    assert.isFalse(recorded.items.some((item) => "isLive" in item && item.isLive))
  })

  it("replaces the received deltas with a part that is sent in full", () => {
    const before = watch([delta(1, "reasoning", "hm"), delta(1, "text", "Hel")])
    const after = watch([delta(1, "text", "Hello wor", true), delta(1, "text", "ld")], before)
    assert.deepStrictEqual(
      after.items.map((item) => (item._tag === "Text" || item._tag === "Reasoning" ? item.text : "")),
      ["hm", "Hello world"]
    )
  })

  it("ignores a delta of a reply whose entry it has, and accepts one of the next reply", () => {
    const reply = replied(1, [{ _tag: "Text", text: "Hello" }])
    // The entry was read from the journal while the deltas were in flight.
    const known = read([userMessage("hi"), reply])
    const late = watch([delta(1, "text", "Hel"), delta(1, "text", "lo"), delta(1, "text", "Hello", true)], known)
    assert.deepStrictEqual(shown(late), shown(known))
    assert.strictEqual(shown(watch([delta(2, "text", "More")], late)).length, shown(known).length + 1)
  })

  it("shows no text of a summary that is made for the model", () => {
    const started: Body = {
      _tag: "StepStarted",
      turn: 1,
      step: 4,
      model: "m",
      reservedTokens: 1,
      purpose: "compaction"
    }
    const after = watch([
      frameOf(entryOf(started, 0)),
      delta(4, "text", "summary"),
      frameOf(entryOf(replied(4, [{ _tag: "Text", text: "summary" }]), 1))
    ])
    assert.deepStrictEqual(after.items, [])
    assert.strictEqual(after.usage.inputTokens, 10)
  })

  it("ends a call for good: later events of it change nothing", () => {
    const calls = [replied(1, [callPart("c1")]), succeeded("c1")]
    const after = watch(
      [{ _tag: "ToolStarted", ...place, turn: 1, step: 1, toolCallId: "c1", tool: "read_file", tier: "ReadOnly" }],
      read(calls)
    )
    assert.deepStrictEqual(after.items, read(calls).items)
  })

  it("shows the progress of a running call, with its percentage if it is known", () => {
    const progress = (line: { readonly message: string; readonly percent?: number }) =>
      ({ _tag: "ToolProgressed", ...place, turn: 1, step: 1, toolCallId: "c1", tool: "read_file", ...line }) as const
    const lines = [{ message: "begins" }, { message: "sends", percent: 30.5 }, { message: "", percent: 100 }]
    const shown = lines.map((line) =>
      watch([progress(line)], read([replied(1, [callPart("c1")])])).items.flatMap((item) =>
        item._tag === "Call" ? [item.progress] : []
      )
    )
    assert.deepStrictEqual(shown, [["begins"], ["30 % sends"], ["100 %"]])
  })

  it("drops a partial reply when its turn fails, and says why", () => {
    const after = watch([
      delta(1, "text", "half"),
      {
        _tag: "TurnFailed",
        ...place,
        turn: 1,
        step: 1,
        error: "ModelUnavailable",
        message: "no answer",
        retryInMillis: null
      }
    ])
    assert.deepStrictEqual([after.items, after.failure, after.isWorking], [[], "no answer", false])
  })

  it("ignores frames of other sessions", () => {
    const before = read([userMessage("hello")])
    assert.strictEqual(watch([{ ...delta(1, "text", "x"), sessionId: "ses_b" } as Frame], before), before)
  })

  it("names the messages that it has accepted", () => {
    assert.deepStrictEqual([...read([userMessage("a", "m1"), userMessage("b", "m2")]).taken], ["m1", "m2"])
  })
})
