/**
 * The capabilities of the tools of MCP servers. The floor follows the tier that the operator gave the tool. A server
 * without access beyond its sandbox sends no data.
 */
import type { Tier, ToolError } from "@bough/protocol"
import { Capability } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type { CallResult } from "./CallResult.ts"
import type { ServerProgress } from "./Progress.ts"
import type { Ask } from "./Sampling.ts"

/** One call of a server's tool. */
export interface ServerCall {
  readonly server: string
  /** The name that the server uses. */
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The digest of the definition with which the call was approved. */
  readonly digest: string
  readonly onProgress: (reported: ServerProgress) => void
  /** Asks the model for the server while the call runs; null: the server may not. */
  readonly ask: Ask | null
}

/** Reaches the configured servers. */
export interface ExternalService {
  readonly call: (call: ServerCall) => Effect.Effect<CallResult, ToolError.ToolError>
}

const labels = ["untrusted"] as const

/** A service outside of this machine's control, or a process that reaches hosts. */
export class External extends Capability.make("mcp/External", { floor: "System", reach: "Open", labels })<
  External,
  ExternalService
>() {}

/** The reading variant, for tools that the operator declares harmless. */
export class ExternalRead extends Capability.make("mcp/ExternalRead", { floor: "ReadOnly", reach: "Open", labels })<
  ExternalRead,
  ExternalService
>() {}

/**
 * A process in a sandbox without network. Its calls need approvals like any other, because the server's code is
 * foreign.
 */
export class Local extends Capability.make("mcp/Local", { floor: "System", reach: "Open", labels, sends: false })<
  Local,
  ExternalService
>() {}

/** The reading variant, for tools that the operator declares harmless. */
export class LocalRead extends Capability.make("mcp/LocalRead", {
  floor: "ReadOnly",
  reach: "Open",
  labels,
  sends: false
})<LocalRead, ExternalService>() {}

export const all = [External, ExternalRead, Local, LocalRead] as const

/** Returns the capability for a tool of this tier. */
export const capabilityFor = (tier: Tier.Tier, isConfined: boolean): (typeof all)[number] => {
  const isMild = tier === "ReadOnly" || tier === "Workspace"
  return isConfined ? (isMild ? LocalRead : Local) : isMild ? ExternalRead : External
}
