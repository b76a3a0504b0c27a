/** Reads the full text of an output that was truncated for the model, by the digest that its marker names. */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class SpilledOutput extends Context.Service<
  SpilledOutput,
  {
    /** Returns the bytes of a blob whose digest this session was shown; any other blob counts as missing. */
    readonly read: (digest: string) => Effect.Effect<Uint8Array, ToolError.ToolError>
  }
>()("@bough/tool/SpilledOutput") {
  static readonly floor = "ReadOnly"
}
