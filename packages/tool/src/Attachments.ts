/** The files that users attached to their messages of this session. */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Attachments extends Context.Service<
  Attachments,
  {
    /** The bytes of the attachments, oldest message first, and in the order of each message. */
    readonly list: Effect.Effect<ReadonlyArray<Uint8Array>, ToolError.ToolError>
  }
>()("@bough/tool/Attachments") {
  static readonly floor = "ReadOnly"
}
