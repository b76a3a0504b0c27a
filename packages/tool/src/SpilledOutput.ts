/**
 * Reads the full text of an output that was truncated for the model, by the digest that its marker names, or an image that
 * an ended child saw, by the name in the child's result.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class SpilledOutput extends Context.Service<
  SpilledOutput,
  {
    /** Returns the bytes of an output whose digest was shown to this session; any other output counts as missing. */
    readonly read: (name: string) => Effect.Effect<Uint8Array, ToolError.ToolError>
  }
>()("@bough/tool/SpilledOutput") {
  static readonly floor = "ReadOnly"
}
