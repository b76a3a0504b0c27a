/**
 * Labels the result of `use_tools` in a session with tools of foreign servers: it declares their descriptions, which
 * may contain orders to the model just like their results.
 */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"

export class ForeignDescriptions extends Context.Service<ForeignDescriptions, null>()(
  "@bough/runtime/session/ForeignDescriptions"
) {
  static readonly floor = "ReadOnly"
  static readonly labels = ["untrusted"] as const satisfies ReadonlyArray<Session.Label>
}
