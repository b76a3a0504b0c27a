/** The tools that a server offers, and the calls of these tools; an app implements this. */
import type { Message } from "@bough/protocol"
import type * as Effect from "effect/Effect"

type Json = Readonly<Record<string, unknown>>

/** A tool in the protocol's declaration. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  readonly outputSchema?: Json
  readonly annotations?: Json
}

/** The user's answer; `unanswered`: the client did not show the request, or the user closed it. */
export type ClientDecision = "approved" | "denied" | "unanswered"

export interface OfferedCall {
  readonly tool: string
  readonly arguments: Json
  readonly onProgress: (message: string) => void
  /** Asks the user at the client; null: the client cannot ask. */
  readonly ask: ((question: string) => Effect.Effect<ClientDecision>) | null
}

export interface OfferedResult {
  readonly isError: boolean
  readonly text: string
  /** Null: there is no typed output. */
  readonly structured: Json | null
  readonly media: ReadonlyArray<Message.Media>
}

export interface ServerOffer {
  readonly name: string
  readonly version: string
  readonly instructions?: string
  readonly tools: ReadonlyArray<OfferedTool>
  /** Runs a call; it is interrupted when the client cancels the call. */
  readonly call: (call: OfferedCall) => Effect.Effect<OfferedResult>
}
