/** Earlier sessions of the same user: their list, their messages, and their stored journals. */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** One message: by the user, by the model, or by a tool. */
export interface HistoryLine {
  readonly seq: number
  readonly from: "user" | "agent" | "tool"
  readonly text: string
}

/** `nextSeq` is the beginning of the next page; null: this was the last page. */
export interface HistoryPage<A> {
  readonly items: ReadonlyArray<A>
  readonly nextSeq: number | null
}

/** A range of a session's journal. */
export interface HistoryRange {
  readonly fromSeq: number
  readonly limit: number
}

type Answer<A> = Effect.Effect<A, ToolError.ToolError>

const labels: ReadonlyArray<Session.Label> = ["private", "untrusted"]

export class History extends Context.Service<
  History,
  {
    /**
     * Lists sessions that were last active between the two times (epoch milliseconds; the end is exclusive), newest
     * first.
     */
    readonly list: (
      between: readonly [fromMillis: number, toMillis: number],
      limit: number
    ) => Answer<ReadonlyArray<Session.Summary>>
    /** Reads the messages of a session. A missing session, or a session of another user, is a ValidationError. */
    readonly replay: (sessionId: Session.SessionId, range: HistoryRange) => Answer<HistoryPage<HistoryLine>>
    /** The entries as canonical JSON, one per line. */
    readonly archive: (sessionId: Session.SessionId, range: HistoryRange) => Answer<HistoryPage<string>>
  }
>()("@bough/tool/History") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
}
