/**
 * Requests that may change something elsewhere: any method, with a body. The same addresses are refused as for
 * NetworkRead.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Response } from "./NetworkRead.ts"

export interface Request {
  readonly method: string
  readonly url: string
  /**
   * Any headers except those of the connection and of proxies, and those with credentials, which the operator
   * configures per host.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

export class NetworkWrite extends Context.Service<
  NetworkWrite,
  {
    /** Follows no redirect, because the approval was for one destination. */
    readonly send: (request: Request) => Effect.Effect<Response, ToolError.ToolError>
  }
>()("@bough/tool/NetworkWrite") {
  static readonly floor = "System"
  static readonly sends = true
}
