/** A capability for tools in tests and benches that do more than read but affect only their own process. */
import type { Session } from "@bough/protocol"
import * as Capability from "../Capability.ts"
import * as ToolContext from "../ToolContext.ts"

export class Inside extends Capability.make("Inside", { floor: "Workspace", reach: "Confined" })<Inside, object>() {}

/** Makes the context of a session of this kind: it has `Inside`, unless it only reads. */
export const context = (kind: Session.Kind): ToolContext.ToolContext =>
  ToolContext.provideAll(ToolContext.empty(kind), [Capability.provide(Inside, { service: {} })])
