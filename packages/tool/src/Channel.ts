/**
 * The users of a session: messages are shown to them with the session's name. A Main has its own channel; a Branch uses
 * the channel of its parent.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface SentMessage {
  /** Equal for every attempt of a call. */
  readonly messageId: string
  /** The channel's name, such as "terminal". */
  readonly channel: string
}

/** A workspace file that is sent with a message. `mediaType` is detected from its bytes. */
export interface SentMedia {
  readonly path: string
  readonly mediaType: string
  readonly bytes: number
}

export class Channel extends Context.Service<
  Channel,
  {
    /**
     * Sends plain text, which the channel escapes for display, and does not wait for an answer. `media`: a file that is
     * sent with the message; the text also names it, for channels without media.
     */
    readonly send: (text: string, media?: SentMedia) => Effect.Effect<SentMessage, ToolError.ToolError>
  }
>()("@bough/tool/Channel") {
  static readonly floor = "System"
  static readonly sends = true
}
