/** A finished part of a conversation, as data: it is printed once and then belongs to the terminal's scrollback. */
import type { Entry, Session, SessionResult, Tier } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import type * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import type { SafeText } from "@bough/tui/text/SafeText"
import type { PrintedApproval } from "../../format/ApprovalText.ts"
import type { Message } from "../../format/MessageText.ts"
import type { Listing } from "../conversation/Listing.ts"
import type { Plan } from "./PlanView.ts"

/** A recorded decision on an approval. */
export type Decision = Entry.BodyOf<"ApprovalDecided">["decision"]

export type Block =
  | { readonly _tag: "Listing"; readonly entries: Listing }
  /** `note`: when the message is sent, such as "for the next step"; "" for an ordinary message. */
  | { readonly _tag: "Said"; readonly text: string; readonly note: string }
  | { readonly _tag: "Answer"; readonly piece: MarkdownStream.Piece }
  /** `isFolded`: only the first line is shown. */
  | { readonly _tag: "Reasoning"; readonly text: string; readonly isFolded: boolean }
  | {
      readonly _tag: "Call"
      readonly tool: string
      /** The role of the tool; null: it declares none, or the tool no longer exists. */
      readonly role: Tool.Role | null
      /** The arguments as the model wrote them. */
      readonly arguments: string
      /** Null: the call was never started. */
      readonly tier: Tier.Tier | null
      readonly outcome: Entry.Outcome
      /** True if a question showed the effect of the call. */
      readonly wasAsked: boolean
      /** True if there is output that can be shown. */
      readonly hasOutput: boolean
    }
  /** The end of an approval. `by`: the name of another user who decided it; null: none. */
  | {
      readonly _tag: "Approval"
      readonly asked: PrintedApproval
      readonly decision: Decision
      readonly by: string | null
    }
  /** Everything that an approval is bound to, while it is open. */
  | { readonly _tag: "ApprovalDetails"; readonly rows: ReadonlyArray<SafeText> }
  | { readonly _tag: "Plan"; readonly plan: Plan.Plan }
  /** A command that the user ran. */
  | {
      readonly _tag: "Command"
      readonly command: string
      readonly outcome: Entry.Outcome
      readonly hasOutput: boolean
    }
  /** A session that this one started has ended. */
  | {
      readonly _tag: "ChildEnded"
      readonly kind: Session.Kind
      /** Its task in a line; "" where it is not known. */
      readonly task: string
      readonly result: SessionResult.SessionResult
    }
  | ({ readonly _tag: "Message" } & Message)
  /** One sentence. `details`: everything known about an error, in separate lines. */
  | { readonly _tag: "Note"; readonly text: string; readonly tone: "plain" | "error"; readonly details?: string }
  /** The end of a turn. */
  | { readonly _tag: "Ended"; readonly text: string }
