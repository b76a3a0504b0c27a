/** The whole of an output that was cut for the model, by the digest that its marker names. */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class SpilledOutput extends Context.Service<
  SpilledOutput,
  {
    /** The bytes of a blob that this session was shown the digest of; another's reads as missing. */
    readonly read: (digest: string) => Effect.Effect<Uint8Array, ToolError.ToolError>
  }
>()("@bough/tool/SpilledOutput") {
  static readonly floor = "ReadOnly"
}
