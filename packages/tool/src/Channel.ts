/**
 * Where the people of a session are: what is sent there is shown to them, with the session that says it. A Main has its
 * own, a Branch its parent's.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface Sent {
  /** The same for every attempt of a call. */
  readonly messageId: string
  /** As it is known, such as "terminal". */
  readonly channel: string
}

/** A file of the workspace that goes with a message. `mediaType` is read from its bytes. */
export interface SentMedia {
  readonly path: string
  readonly mediaType: string
  readonly bytes: number
}

export class Channel extends Context.Service<
  Channel,
  {
    /**
     * Sends plain text, which the channel escapes when it shows it. It waits for no answer. `media`: the file that the message is
     * about; the text names it for readers without media.
     */
    readonly send: (text: string, media?: SentMedia) => Effect.Effect<Sent, ToolError.ToolError>
  }
>()("@bough/tool/Channel") {
  static readonly floor = "System"
  static readonly sends = true
}
