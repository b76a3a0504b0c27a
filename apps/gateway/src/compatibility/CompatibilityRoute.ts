/**
 * A route outside of the API's definition, whose handler uses the services that all routes of other protocols share.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { AgentCatalog } from "../sessions/AgentCatalog.ts"
import type { ApprovalLinks } from "./ApprovalLinks.ts"
import type * as CompatibilityPaths from "./CompatibilityPaths.ts"
import type { Conversations } from "./Conversations.ts"
import type { HostedTurns } from "./HostedTurns.ts"
import type { OpenedRequests } from "./openai/OpenedRequests.ts"
import type { Identity } from "./RequestBody.ts"
import type { TurnStreams } from "./TurnStreams.ts"

/** The services that handlers use besides their request. */
export type SharedServices =
  | AgentCatalog
  | ApprovalLinks
  | Conversations
  | HostedTurns
  | Identity
  | OpenedRequests
  | TurnStreams

export type RequestServices = HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | Scope.Scope

export const make = <P extends CompatibilityPaths.Path>(
  method: (typeof CompatibilityPaths.methods)[P][number],
  path: P,
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, never, SharedServices | RequestServices>
) =>
  HttpRouter.use((router) =>
    Effect.flatMap(Effect.context<SharedServices>(), (shared) =>
      // The context of the routes includes a scope with the server's lifetime, which is replaced by the scope of the
      // request.
      router.add(
        method,
        path,
        Effect.updateContext(handler, (ofRequest: Context.Context<RequestServices>) => Context.merge(shared, ofRequest))
      )
    )
  )
