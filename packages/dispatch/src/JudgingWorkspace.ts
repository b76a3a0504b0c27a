/** The workspace that the dispatcher reads while it judges a call. */
import { Capability, type WorkspaceRead } from "@bough/tool"
import type { DecodedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"

/** Returns the session's workspace without grants; null: the session has none. */
export const make = (
  call: DecodedCall,
  caller: DispatchContext,
  options?: { readonly judged: DecodedCall["judged"] }
): WorkspaceRead.WorkspaceRead["Service"] | null => {
  const provided = caller.context.capabilities.get(Capability.WorkspaceRead.key)
  if (provided === undefined) return null
  const { callKey, labels, toolCallId } = call
  const invocation = { ...caller.invocation, toolCallId, callKey, labels, grants: [], facts: [] }
  return provided.make(invocation, () => {}, options) as WorkspaceRead.WorkspaceRead["Service"]
}
