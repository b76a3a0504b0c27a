/** Any sequence of entries and events of a small tree, including impossible ones: a stream must handle them all. */
import { Entry, Session, type Event, type EventStream, Usage } from "@bough/protocol"
import * as Schema from "effect/Schema"

const small = Schema.Literals([1, 2, 3])
const session = Schema.Literals(["main", "child", "grandchild"])
const call = Schema.Literals(["c1", "c2", "c3"])
const words = Schema.Literals(["a", "bc ", "\n\n", "ø—🙂", "<b>", "data: x", ""])
const parts = Schema.Array(
  Schema.Union([
    Schema.Struct({ kind: Schema.Literals(["Text", "Reasoning"]), words }),
    Schema.Struct({ kind: Schema.Literal("Call"), call })
  ])
)

export const Move = Schema.TaggedUnion({
  StepStarted: { session, turn: small, step: small, summary: Schema.Boolean },
  Delta: { session, turn: small, step: small, kind: Schema.Literals(["TextDelta", "ReasoningDelta"]), words },
  Replied: { session, turn: small, step: small, complete: Schema.Boolean, parts },
  Said: { session },
  Asked: { session, call, request: Schema.Literals(["r1", "r2", "r3"]) },
  Decided: {
    session,
    call,
    request: Schema.Literals(["r1", "r2", "r3"]),
    decision: Schema.Literals(["Approved", "Denied", "Lapsed"])
  },
  Started: { session, call },
  Deferred: { session, call },
  Ended: { session, call, outcome: Schema.Literals(["Succeeded", "Failed", "Rejected", "Unknown", "NotRun"]) },
  Running: { session, call, progressed: Schema.Boolean },
  Spawned: { session, call },
  ChildEnded: { session, status: Schema.Literals(["Completed", "Failed", "Cancelled"]) },
  Told: { session, words },
  Noticed: { session, words },
  Turn: { session, turn: small, kind: Schema.Literals(["TurnStarted", "TurnEnded"]) },
  Changed: { session, state: Schema.Literals(["Active", "Suspended"]) },
  Gap: {}
})
export type Move = typeof Move.Type

const below = { main: "child", child: "grandchild", grandchild: "leaf" } as const

const outcomes: Readonly<Record<string, Entry.Outcome>> = {
  Succeeded: { _tag: "Succeeded", output: '{"value":1}', outputBlob: null, media: [], display: "Done" },
  Failed: { _tag: "Failed", error: { _tag: "ExecutionError", message: "no" }, schema: null },
  Rejected: { _tag: "Rejected", error: { _tag: "PermissionDenied", tier: "Elevated", reason: "denied" } },
  Unknown: { _tag: "Unknown", message: "interrupted" },
  NotRun: { _tag: "NotRun", reason: "not run" }
}

const request = (move: { readonly session: string; readonly call: string; readonly request: string }) => ({
  approvalId: `${move.session}.${move.request}`,
  sessionPath: [move.session],
  toolCallId: move.call,
  tool: "launch",
  version: 1,
  tier: "Elevated",
  arguments: '{"target":"moon"}',
  argumentsDigest: "d",
  preview: { render: "launch at moon", preconditions: [] },
  reason: "launch is Elevated",
  askedAtMillis: 0,
  expiresAtMillis: 1_000_000
})

const usage: Usage.Usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 2, costUsd: null }

/** The entry that a move records; null if it records none. */
const bodyOf = (move: Move): unknown => {
  switch (move._tag) {
    case "StepStarted":
      return {
        _tag: "StepStarted",
        turn: move.turn,
        step: move.step,
        model: "m",
        reservedTokens: 0,
        ...(move.summary ? { purpose: "compaction" } : {})
      }
    case "Replied":
      return {
        _tag: "ModelReplied",
        turn: move.turn,
        step: move.step,
        completion: move.complete ? "complete" : "interrupted",
        parts: move.parts.map((part) =>
          part.kind === "Call"
            ? {
                _tag: "ToolCall",
                toolCallId: part.call,
                providerCallId: "p",
                name: "look",
                arguments: part.call === "c1" ? "{" : '{"key":"a"}'
              }
            : { _tag: part.kind, text: part.words }
        ),
        usage
      }
    case "Said":
      return { _tag: "UserMessage", text: "hi", media: [], principal: "ada", messageId: "other" }
    case "Asked":
      return { _tag: "ApprovalAsked", request: request(move) }
    case "Decided":
      return {
        _tag: "ApprovalDecided",
        approvalId: `${move.session}.${move.request}`,
        toolCallId: move.call,
        decision:
          move.decision === "Approved"
            ? { _tag: "Approved", rule: null }
            : move.decision === "Denied"
              ? { _tag: "Denied", words: null }
              : { _tag: "Lapsed", reason: "changed" },
        principal: "ada"
      }
    case "Started":
      return {
        _tag: "CallStarted",
        toolCallId: move.call,
        callKey: "k",
        tool: "look",
        version: 1,
        tier: "ReadOnly",
        argumentsDigest: "d",
        attempt: 1,
        preconditions: [],
        approvalId: null
      }
    case "Deferred":
      return { _tag: "CallDeferred", toolCallId: move.call, approvalId: "r" }
    case "Ended":
      return { _tag: "CallEnded", toolCallId: move.call, tool: "look", outcome: outcomes[move.outcome], receipt: null }
    case "Spawned":
      return {
        _tag: "ChildSpawned",
        childId: below[move.session],
        kind: "Branch",
        toolCallId: move.call,
        title: "sub-task",
        budget: {}
      }
    case "ChildEnded":
      return {
        _tag: "ChildEnded",
        childId: below[move.session],
        result: {
          status: move.status,
          reason: move.status === "Completed" ? "" : "broke",
          summary: "words",
          output: null,
          artifacts: [],
          memoryIds: [],
          usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 }
        }
      }
    case "Changed":
      return { _tag: "StateChanged", state: move.state, reason: "" }
    default:
      return null
  }
}

const eventOf = (move: Move): unknown => {
  const base = "session" in move ? { sessionId: move.session, turn: 1, step: 1 } : {}
  switch (move._tag) {
    case "Delta":
      return { ...base, _tag: move.kind, turn: move.turn, step: move.step, text: move.words }
    case "Running":
      return move.progressed
        ? { ...base, _tag: "ToolProgressed", toolCallId: move.call, tool: "look", message: "half" }
        : { ...base, _tag: "ToolStarted", toolCallId: move.call, tool: "look", tier: "ReadOnly" }
    case "Told":
      return {
        ...base,
        _tag: "MessageSent",
        messageId: "m1",
        from: { kind: "Branch", title: "sub-task" },
        text: move.words
      }
    case "Noticed":
      return { ...base, _tag: "Notice", message: move.words }
    case "Turn":
      return move.kind === "TurnStarted"
        ? { ...base, _tag: "TurnStarted", turn: move.turn }
        : { ...base, _tag: "TurnEnded", turn: move.turn, status: "completed", text: "", usage }
    default:
      return null
  }
}

/** The message after which the stream starts. */
export const message = "from:ada:1"

/** The events of these moves after the first message; null: a gap. */
export const play = (moves: ReadonlyArray<Move>): ReadonlyArray<EventStream.PublishedItem | null> => {
  const lengths = new Map<string, number>()
  let number = 0
  const published = (sessionId: string, event: unknown): EventStream.PublishedItem => ({
    _tag: "Published",
    treeId: Session.SessionId.make("main"),
    epoch: 1,
    number: ++number,
    entries: lengths.get(sessionId) ?? 0,
    event: event as Event.Event
  })
  const recorded = (sessionId: string, body: unknown): EventStream.PublishedItem => {
    const seq = lengths.get(sessionId) ?? 0
    lengths.set(sessionId, seq + 1)
    const entry = { id: `${sessionId}/${seq}`, sessionId, seq, commit: seq, labels: [], digest: "", body }
    return published(sessionId, { _tag: "Recorded", sessionId, entry })
  }
  const first = recorded("main", { _tag: "UserMessage", text: "go", media: [], principal: "ada", messageId: message })
  return [
    first,
    ...moves.map((move) => {
      if (move._tag === "Gap") return null
      const body = bodyOf(move)
      return body === null ? published(move.session, eventOf(move)) : recorded(move.session, body)
    })
  ]
}
