/** A capability for sample tools that do more than read, but only affect their own process. */
import type { Session } from "@bough/protocol"
import * as Capability from "../Capability.ts"
import * as ToolContext from "../ToolContext.ts"

export class Inside extends Capability.make("Inside", { floor: "Workspace", reach: "Confined" })<Inside, object>() {}

/** Makes the context of a session of this kind, with `Inside` unless the kind only reads. */
export const context = (kind: Session.Kind): ToolContext.ToolContext =>
  ToolContext.provideAll(ToolContext.empty(kind), [Capability.provide(Inside, { service: {} })])
