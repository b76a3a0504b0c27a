/**
 * The durability of commits: by kind of entry and, for the end of a call, by the replay class of its tool. Every
 * commit of the runtime takes its durability from here. adr/0040-ends-of-approval-requests.md.
 */
import type { Batch, Entry } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Result from "effect/Result"

type Durability = Batch.Durability
type EntryTag = Entry.Body["_tag"]

/** The property that decides the durability of a kind whose entries differ. */
type Division = "by replay class" | "by calls" | "by state" | "by kind of session"

interface MixedDurability {
  readonly by: Division
  /**
   * The durability of four kinds of entry: the end of a Safe call, a reply with calls, a state that continues, and the
   * opening of a Main whose first message follows with durability Full.
   */
  readonly first: Durability
  /** The durability of all other entries of the kind. */
  readonly rest: Durability
}

export const table: Readonly<Record<EntryTag, Durability | MixedDurability>> = {
  SessionOpened: { by: "by kind of session", first: "Relaxed", rest: "Full" },
  // The inbox row, which is stored Full, has the same content until this entry is durable.
  UserMessage: "Relaxed",
  ContextAdded: "Relaxed",
  // A step without its reply counts as spent.
  StepStarted: "Relaxed",
  // The intents or the ends of its calls make the reply durable.
  ModelReplied: { by: "by calls", first: "Relaxed", rest: "Full" },
  ApprovalAsked: "Full",
  ApprovalDecided: "Full",
  CallStarted: "Full",
  CallDeferred: "Relaxed",
  // A Safe call that lost its end runs again.
  CallEnded: { by: "by replay class", first: "Relaxed", rest: "Full" },
  ChildSpawned: "Full",
  ChildEnded: "Full",
  RuleGiven: "Full",
  RuleRevoked: "Full",
  CommandEnded: "Full",
  Compacted: "Full",
  // Like a step: a request without its end counts as spent.
  SamplingStarted: "Relaxed",
  SamplingEnded: "Relaxed",
  StateChanged: { by: "by state", first: "Relaxed", rest: "Full" },
  SessionEnded: "Full"
}

/** The durability of a session that is written in one commit without a following message. */
export const wholeSession: Durability = "Full"

/**
 * Returns the durability of one commit: Full if any of its entries needs it. `replay` is the class of the tool whose
 * call ends in it. Rows alone are Relaxed.
 */
export const durabilityOf = (bodies: ReadonlyArray<Entry.Body>, replay: Tool.Replay = "Unsafe"): Durability =>
  // The store refuses a body that cannot be read.
  Result.getOrElse(
    Result.try(() => (bodies.some((body) => bodyDurability(body, replay) === "Full") ? "Full" : "Relaxed")),
    (): Durability => "Full"
  )

const bodyDurability = (body: Entry.Body, replay: Tool.Replay): Durability => {
  const row = table[body._tag]
  if (typeof row === "string") return row
  return isFirst(body, replay) ? row.first : row.rest
}

const isFirst = (body: Entry.Body, replay: Tool.Replay): boolean => {
  switch (body._tag) {
    case "SessionOpened":
      return body.terms === undefined
    case "ModelReplied":
      return body.completion === "complete" && body.parts.some(({ _tag }) => _tag === "ToolCall")
    case "CallEnded":
      return replay === "Safe"
    case "StateChanged":
      return body.state === "Active"
    default:
      return false
  }
}
