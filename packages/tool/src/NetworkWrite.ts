/** Requests that may change something elsewhere: any method, with a body. The same places are refused as for NetworkRead. */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Response } from "./NetworkRead.ts"

export interface Request {
  readonly method: string
  readonly url: string
  /** Any but those of the connection, of a proxy and those that carry a credential, which the operator configures for a host. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

export class NetworkWrite extends Context.Service<
  NetworkWrite,
  {
    /** Follows no redirect: what was approved for one place is not sent to another. */
    readonly send: (request: Request) => Effect.Effect<Response, ToolError.ToolError>
  }
>()("@bough/tool/NetworkWrite") {
  static readonly floor = "System"
  static readonly sends = true
}
