/** Raises the tier of requests that need an approval because of their destination. */
import type { Tier, ToolError } from "@bough/protocol"
import { Capability, Grant, type NetworkRead, type Tool } from "@bough/tool"
import * as Effect from "effect/Effect"

/**
 * Raises the tier for this machine, its network and unusual ports, which the approval then opens. A destination that no
 * approval can open fails at once.
 */
export const classifyRequest = (
  url: string,
  tier: Tier.Tier
): Effect.Effect<Tool.Classification, ToolError.ToolError, NetworkRead.NetworkRead> =>
  Effect.gen(function* () {
    const network = yield* Capability.NetworkRead
    const { guard, host, nearAddresses, port } = yield* network.inspect(url)
    if (guard === null) return { tier }
    // An address needs no lookup, because it always reaches the same host.
    const isAddress = nearAddresses.length === 1 && nearAddresses[0] === host
    const grant = Grant.Grant.cases.Host.make({ host, port, ...(isAddress ? {} : { addresses: nearAddresses }) })
    return { tier: "Elevated", reason: guard, grants: [grant] }
  })
