/** A request to a conversation, translated from another protocol. */
import type { Message } from "@bough/protocol"
import type { JournalPositions } from "./TurnEvent.ts"

/**
 * A user's message; `key` identifies it among all messages of the user, so that a repeated request is the same message.
 */
export interface TurnMessage {
  readonly key: string
  readonly text: string
  readonly media: ReadonlyArray<Message.Media>
  /** The conversation before the message, which is passed to a session that has no messages. */
  readonly before?: Transcript
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
  readonly positions: JournalPositions | null
}

/** A message of the transcript that clients send along. */
export interface ChatMessage {
  readonly role: "user" | "assistant"
  readonly text: string
}

/** The messages that a client sends along with its newest one. */
export interface Transcript {
  readonly instructions: ReadonlyArray<string>
  readonly history: ReadonlyArray<ChatMessage>
}

/** Sorts messages of a client by their role; other roles and empty texts are left out. */
export const transcript = (messages: ReadonlyArray<{ readonly role: string; readonly text: string }>): Transcript => {
  const nonEmpty = messages.filter(({ text }) => text !== "")
  return {
    instructions: nonEmpty.flatMap(({ role, text }) => (role === "system" || role === "developer" ? [text] : [])),
    history: nonEmpty.flatMap(({ role, text }) => (role === "user" || role === "assistant" ? [{ role, text }] : []))
  }
}

/** The first message of a session that continues a conversation from another server. */
export const withHistory = ({ history, instructions }: Transcript, text: string): string =>
  [
    ...instructions.map((each) => `Instructions of the client:\n${each}`),
    ...(history.length === 0
      ? []
      : ["The conversation so far, as the client sent it:", ...history.map(({ role, text }) => `${role}: ${text}`)]),
    text
  ].join("\n\n")
