/**
 * The frames of a tree's stream, the same over SSE and WebSocket: stored entries of the journal, and the deltas before
 * them. A reader that reconnects with the id of its last entry neither misses an entry nor gets one twice.
 */
import { Approval, Entry as EntryData, Session, Tier, Usage } from "@bough/protocol"
import * as Schema from "effect/Schema"

/** The position of a stored entry in its tree: the number of its commit, and its position in the commit. */
export const FrameId = Schema.String.check(Schema.isPattern(/^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/u))
export type FrameId = typeof FrameId.Type

/** A stored entry of a journal, under the name that the API's documents give it. */
export const Entry = EntryData.Entry.annotate({ identifier: "Entry" })

const place = {
  treeId: Session.SessionId,
  sessionId: Session.SessionId,
  /** The sessions from the Main down to this one. */
  path: Schema.Array(Session.SessionId),
  /** The newest step that had begun at that point of the stream. */
  turn: Schema.Natural,
  step: Schema.Natural
}
const call = { ...place, toolCallId: Session.ToolCallId, tool: Schema.String }

export const Frame = Schema.TaggedUnion({
  /** The journal contains the entry; this is the only frame with an id. */
  Entry: { ...place, id: FrameId, sequence: Schema.Natural, entry: Entry },
  /** A piece of the reply in progress. `whole`: `text` replaces the reader's text so far. */
  Delta: { ...place, part: Schema.Literals(["text", "reasoning"]), text: Schema.String, whole: Schema.Boolean },
  ToolStarted: { ...call, tier: Tier.Tier },
  /** `percent`: the completed share, from 0 to 100; absent: unknown. */
  ToolProgressed: { ...call, message: Schema.String, percent: Schema.optionalKey(Schema.Finite) },
  ApprovalAsked: { ...place, request: Approval.Request },
  ApprovalEnded: { ...place, approvalId: Session.ApprovalId, decision: Schema.String, principal: Schema.String },
  MessageSent: { ...place, messageId: Schema.String, text: Schema.String },
  Notice: { ...place, message: Schema.String },
  TurnStarted: place,
  /** Follows every entry of the turn; state that is read after this frame is the final state of the turn. */
  TurnEnded: { ...place, status: Schema.String, text: Schema.String, usage: Usage.Usage },
  /**
   * `error` names the kind, such as `NotServed` if the session's agent or model is no longer offered. `retryInMillis`
   * null: there is no retry. Readers that connect later receive it too.
   */
  TurnFailed: {
    ...place,
    error: Schema.String,
    message: Schema.String,
    retryInMillis: Schema.NullOr(Schema.Natural)
  },
  /**
   * As the first frame, it confirms that all entries stored from now on will be sent. Later, it shows that the
   * connection is alive.
   */
  Heartbeat: {},
  /** The last frame: the stream ends here, and a reader that reconnects continues after that id. */
  Resume: {
    after: Schema.NullOr(FrameId),
    reason: Schema.Literals(["slow", "draining", "deleted", "moved"]),
    retryAfterMillis: Schema.Natural
  }
}).annotate({ identifier: "Frame" })
export type Frame = typeof Frame.Type
export type FrameOf<Tag extends Frame["_tag"]> = Extract<Frame, { readonly _tag: Tag }>

/** The position of a stored entry in its tree, as the numbers of its frame's id. */
export interface FramePosition {
  readonly commit: number
  readonly index: number
}

export const format = ({ commit, index }: FramePosition): FrameId => `${commit}.${index}`

/** Parses an id; null: the text is not an id. */
export const parse = (text: string): FramePosition | null => {
  const match = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/u.exec(text)
  return match === null ? null : { commit: Number(match[1]), index: Number(match[2]) }
}

/** Returns true if the first position is later than the second. */
export const isAfter = (a: FramePosition, b: FramePosition): boolean =>
  a.commit > b.commit || (a.commit === b.commit && a.index > b.index)
