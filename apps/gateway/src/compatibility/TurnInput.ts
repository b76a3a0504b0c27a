/** A request to a conversation, translated from another protocol. */
import type { Message } from "@bough/protocol"
import type { Places } from "./TurnEvent.ts"

/**
 * A user's message; `key` identifies it among all messages of the user, so that a repeated request is the same message.
 */
export interface TurnMessage {
  readonly key: string
  readonly text: string
  readonly media: ReadonlyArray<Message.Media>
}

export interface ApprovalAnswer {
  readonly approvalId: string
  readonly approved: boolean
  /** The reason for the agent if the request is denied. */
  readonly reason: string | null
}

export interface TurnInput {
  /** Null: the turn continues with the answers alone. */
  readonly message: TurnMessage | null
  readonly answers: ReadonlyArray<ApprovalAnswer>
  /** How far the client had received the stream before it answered; null: unknown. */
  readonly places: Places | null
}

/** A message of the transcript that clients send along. */
export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

/** The first message of a session that continues a conversation from another server. */
export const withHistory = (
  { history, instructions }: { readonly history: ReadonlyArray<Said>; readonly instructions: ReadonlyArray<string> },
  text: string
): string =>
  [
    ...instructions.map((each) => `Instructions of the client:\n${each}`),
    ...(history.length === 0
      ? []
      : ["The conversation so far, as the client tells it:", ...history.map(({ role, text }) => `${role}: ${text}`)]),
    text
  ].join("\n\n")
