/**
 * The parts that a conversation shows, in order. Items are immutable, so a row is drawn again only if its item was
 * replaced.
 */
import type { ApprovalRequest, BodyOf, Outcome } from "./Journal.ts"

type Artifact = NonNullable<BodyOf<"CallEnded">["receipt"]>["artifacts"][number]

interface Base {
  /** The key, which stays the same while the item grows and after it is recorded. */
  readonly key: string
  /** The id of the recorded entry; null: none is recorded yet. */
  readonly entryId: string | null
}

export interface UserItem extends Base {
  readonly _tag: "User"
  readonly text: string
  readonly media: BodyOf<"UserMessage">["media"]
  readonly principal: string
  readonly messageId: string
}

export interface TextItem extends Base {
  readonly _tag: "Text" | "Reasoning"
  readonly text: string
  /** True if more text may follow. */
  readonly isLive: boolean
  /** True if the reply was interrupted here. */
  readonly isCut: boolean
}

export type CallStatus = "requested" | "running" | "waiting" | "deferred" | "ended"

export interface CallItem extends Base {
  readonly _tag: "Call"
  readonly toolCallId: string
  readonly tool: string
  /** The text that the model wrote, or the canonical arguments in the request. */
  readonly arguments: string
  readonly tier: string | null
  readonly status: CallStatus
  readonly progress: string
  readonly request: ApprovalRequest | null
  readonly decision: BodyOf<"ApprovalDecided"> | null
  readonly outcome: Outcome | null
  readonly artifacts: ReadonlyArray<Artifact>
  /** The number of the entry that ended the call; null: the call is still open. */
  readonly endedSeq: number | null
  readonly elapsedMillis: number | null
}

export interface ChildItem extends Base {
  readonly _tag: "Child"
  readonly childId: string
  readonly kind: string
  readonly title: string
  readonly result: BodyOf<"ChildEnded">["result"] | null
}

export interface NoteItem extends Base {
  readonly _tag: "Note"
  readonly text: string
  readonly tone: "plain" | "bad"
  /** Further text that is shown on demand. */
  readonly details: string
}

export type Item = UserItem | TextItem | CallItem | ChildItem | NoteItem
