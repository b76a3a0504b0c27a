/** Formats a whole request for the user who approves it. */
import type { Approval, ToolError } from "@bough/protocol"
import { Capability, type NetworkRead } from "@bough/tool"
import * as Effect from "effect/Effect"

export interface NormalizedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** True for a request of NetworkWrite, to which the operator's headers are added. */
  readonly isWritten?: boolean
}

/** Shows the URL in its canonical form, which is exactly the requested address. */
export const preview = ({
  body,
  headers,
  isWritten = false,
  method,
  url
}: NormalizedRequest): Effect.Effect<Approval.Preview, ToolError.ToolError, NetworkRead.NetworkRead> =>
  Effect.gen(function* () {
    const network = yield* Capability.NetworkRead
    const to = yield* network.inspect(url)
    const lines = [
      `${method} ${to.url}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(isWritten ? (to.operatorHeaders ?? []) : []).map((name) => `${name}: (as the operator configured it)`),
      ...(body === undefined ? [] : ["", body])
    ]
    // Shows the reason, which contains the granted addresses: a new lookup could return others.
    const isAddress = to.nearAddresses.every((address) => address === to.host)
    const destination = `to ${to.host}, port ${to.port}${to.guard === null || !isAddress ? "" : ` (${to.guard})`}`
    return { render: `${destination}\n\n${lines.join("\n")}\n`, preconditions: [] }
  })
