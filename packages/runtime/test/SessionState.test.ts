/** SessionState: for any entries it equals the facts that a scan of all of them counts. */
import { type Approval, Budget, type Entry, OpenCalls, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SessionState from "../src/journal/SessionState.ts"

const many = { arbitrary: { runs: 500, size: 60 } }
const sessionId = Session.SessionId.make("ses_1")
const calls = ["a", "b", "c"] as const
const happenings = ["message", "step", "reply", "interrupted", "idle"] as const
const ofCalls = ["reply asks", "asked", "approved", "denied", "started", "deferred", "ended"] as const

/** The event, its call, and how many tokens and milliseconds it takes. */
const Happening = Schema.Struct({
  what: Schema.Literals([...happenings, ...ofCalls]),
  call: Schema.Literals(calls),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
})
type Happening = typeof Happening.Type
const anyHappenings = Schema.Array(Happening)

const bodyOf = ({ amount, call, what }: Happening, index: number): Entry.Body => {
  const toolCallId = Session.ToolCallId.make(call)
  const approvalId = Session.ApprovalId.make(`approval-${index}`)
  const reply = {
    _tag: "ModelReplied" as const,
    turn: 1,
    step: 1,
    completion: what === "interrupted" ? ("interrupted" as const) : ("complete" as const),
    parts: [{ _tag: "Text" as const, text: `${index}` }],
    usage: { inputTokens: amount, cachedInputTokens: 0, outputTokens: 1, costUsd: null },
    activeMillis: amount
  }
  const requestedCall = { _tag: "ToolCall" as const, toolCallId, providerCallId: call, name: "make", arguments: "{}" }
  const decided = { _tag: "ApprovalDecided" as const, approvalId, toolCallId, principal: "ada" }
  switch (what) {
    case "message":
      return { _tag: "UserMessage", text: "go", media: [], principal: "ada", messageId: `${index}` }
    case "step":
      return { _tag: "StepStarted", turn: 1, step: 1, model: "m", reservedTokens: amount }
    case "reply":
      return reply
    case "interrupted":
      return { ...reply, parts: [...reply.parts, requestedCall] }
    case "reply asks":
      return { ...reply, parts: [requestedCall, ...reply.parts] }
    case "idle":
      return { _tag: "StateChanged", state: "Suspended", reason: "", activeMillis: amount }
    case "asked":
      return { _tag: "ApprovalAsked", request: requestOf(toolCallId, approvalId) }
    case "approved":
      return { ...decided, decision: { _tag: "Approved", rule: call } }
    case "denied":
      return { ...decided, decision: { _tag: "Denied", words: null } }
    case "started":
      return {
        _tag: "CallStarted",
        toolCallId,
        callKey: call,
        tool: "make",
        version: 1,
        tier: "System",
        argumentsDigest: "",
        attempt: 1,
        preconditions: [],
        approvalId: null
      }
    case "deferred":
      return { _tag: "CallDeferred", toolCallId, approvalId }
    case "ended":
      return { _tag: "CallEnded", toolCallId, tool: "make", outcome: { _tag: "NotRun", reason: "" }, receipt: null }
  }
}

const requestOf = (toolCallId: Session.ToolCallId, approvalId: Session.ApprovalId): Approval.Request => ({
  approvalId,
  sessionPath: [sessionId],
  toolCallId,
  tool: "make",
  version: 1,
  tier: "System",
  arguments: "{}",
  argumentsDigest: "",
  preview: { render: "$ make", preconditions: [] },
  reason: "",
  askedAtMillis: 0,
  expiresAtMillis: 1
})

/** `copied`: the number of entries of another session. */
const opened = (copied: number): Entry.Body => ({
  _tag: "SessionOpened",
  v: 1,
  kind: "Branch",
  origin: { _tag: "Branch", parentId: Session.SessionId.make("ses_0"), forkedAt: null },
  agent: "main",
  user: null,
  workspaceRoot: "/",
  channel: null,
  openedAtMillis: 0,
  terms: {
    parentPath: [],
    budget: Budget.unlimited,
    lifetimeMillis: 1,
    maxSteps: 1,
    copied,
    outputSchema: null
  }
})

const fold = (bodies: ReadonlyArray<Entry.Body>): SessionState.SessionState => {
  const state = SessionState.empty()
  for (const [seq, body] of bodies.entries()) SessionState.append(state, { seq, labels: [], body })
  return state
}

const isOf = ({ call, what }: Happening, id: string, kinds: ReadonlyArray<Happening["what"]>): boolean =>
  call === id && kinds.includes(what)

const sum = (happened: ReadonlyArray<Happening>, kinds: ReadonlyArray<Happening["what"]>): number =>
  happened.filter(({ what }) => kinds.includes(what)).reduce((total, { amount }) => total + amount, 0)

const replies = ["reply", "reply asks", "interrupted"] as const

describe("SessionState", () => {
  it.prop(
    "keeps a call open from its first entry until it ends, and knows whether a reply requested it",
    [anyHappenings],
    ([happened]) => {
      const { openCalls } = fold(happened.map(bodyOf))
      for (const id of calls) {
        const since = happened.slice(happened.findLastIndex((one) => isOf(one, id, ["ended"])) + 1)
        const isOpen = since.some((one) => isOf(one, id, ["reply asks", "asked", "started"]))
        const byReply = since.some((one) => isOf(one, id, ["reply asks"]))
        const open = [...openCalls].find(([toolCallId]) => toolCallId === id)?.[1]
        assert.strictEqual(open === undefined ? undefined : open.askedFor === null, isOpen ? !byReply : undefined, id)
      }
    },
    many
  )

  it.prop(
    "waits for the newest request of each open call until that is decided",
    [anyHappenings],
    ([happened]) => {
      const pending = OpenCalls.pendingRequests(fold(happened.map(bodyOf)))
      for (const id of calls) {
        // A reply that makes the same call again has no request yet.
        const last = happened.findLast((one) => isOf(one, id, ["reply asks", "asked", "approved", "denied", "ended"]))
        const waits = pending.filter(({ toolCallId }) => toolCallId === id)
        assert.deepStrictEqual(
          waits.map(({ approvalId }) => approvalId),
          last?.what === "asked" ? [`approval-${happened.indexOf(last)}`] : []
        )
      }
    },
    many
  )

  it.prop(
    "counts as spent the usage of replies, requests without a reply, and the reported work",
    [anyHappenings],
    ([happened]) => {
      const asks = happened.filter(({ what }) => what === "step" || isReply(what))
      const lost = asks.filter(({ what }, index) => what === "step" && !isReply(asks[index + 1]?.what))
      const spent = SessionState.totalSpent(fold(happened.map(bodyOf)))
      assert.strictEqual(spent.inputTokens, sum(happened, replies) + sum(lost, ["step"]))
      assert.strictEqual(spent.outputTokens, happened.filter(({ what }) => isReply(what)).length)
      assert.strictEqual(spent.activeMillis, sum(happened, [...replies, "idle"]))
      assert.strictEqual(spent.steps, happened.filter(({ what }) => what === "step").length)
    },
    many
  )

  it.prop(
    "counts no entries of another session, and all of its own as if there were none",
    [anyHappenings, anyHappenings],
    ([copied, own]) => {
      const alone = fold([opened(0), ...own.map(bodyOf)])
      const forked = fold([opened(copied.length), ...copied.map(bodyOf), ...own.map(bodyOf)])
      assert.deepStrictEqual(SessionState.totalSpent(forked), SessionState.totalSpent(alone))
    },
    many
  )

  it.prop(
    "returns each rule once, in the order in which users saved them",
    [anyHappenings],
    ([happened]) => {
      const approvedCalls = happened.filter(({ what }) => what === "approved").map(({ call }) => call)
      assert.deepStrictEqual(fold(happened.map(bodyOf)).rules, [...new Set(approvedCalls)])
    },
    many
  )
})

const isReply = (what: Happening["what"] | undefined): boolean => replies.some((reply) => reply === what)
