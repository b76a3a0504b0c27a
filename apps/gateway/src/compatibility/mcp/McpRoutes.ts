/** `/mcp`: the hosted agent for clients of the Model Context Protocol, by streamable HTTP with the token of a user. */
import type { WebConnections } from "@bough/mcp/server"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { Accounts } from "../../accounts/Accounts.ts"
import { Drain } from "../../operations/Drain.ts"
import * as CompatibilityRoute from "../CompatibilityRoute.ts"
import { fromRefusal } from "../RefusedResponse.ts"
import * as RequestBody from "../RequestBody.ts"
import * as AgentOffer from "./AgentOffer.ts"

const make = Effect.gen(function* () {
  const accounts = yield* Accounts
  const drain = yield* Drain
  const closersByToken = yield* FiberMap.make<string>()
  // Loaded with the first request: most gateways serve no client of the protocol.
  const loaded = yield* Effect.cached(
    Effect.promise(() => import("@bough/mcp/server").then(({ webConnections }) => webConnections()))
  )

  const handle = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const principal = yield* RequestBody.authenticate("chat")
    const body: unknown = request.method === "POST" ? yield* RequestBody.json : undefined
    const connections: WebConnections = yield* loaded
    const services = yield* Effect.context<AgentOffer.Services>()
    const web = yield* Effect.orDie(HttpServerRequest.toWeb(request))
    const owner = principal.tokenId
    // A revoked token, or the end of the server, closes the open connections.
    yield* FiberMap.run(
      closersByToken,
      owner,
      Effect.raceFirst(accounts.untilEnded(principal), drain.hasStarted).pipe(
        Effect.andThen(Effect.sync(() => connections.close(owner)))
      ),
      { onlyIfMissing: true }
    )
    const response = yield* Effect.promise(() =>
      connections.handle({
        request: web,
        body,
        owner,
        open: () => ({
          offer: AgentOffer.make(principal)((effect) => Effect.provideContext(effect, services)),
          onClose: () => {}
        })
      })
    )
    return HttpServerResponse.fromWeb(response)
  }).pipe(
    Effect.catchTag("RequestRefused", (refused) =>
      Effect.sync(() => fromRefusal(refused)).pipe(
        Effect.flatMap((problem) => problem ?? Effect.succeed(notJson(refused.message)))
      )
    )
  )
  return Layer.mergeAll(
    CompatibilityRoute.make("POST", "/mcp", handle),
    CompatibilityRoute.make("GET", "/mcp", handle),
    CompatibilityRoute.make("DELETE", "/mcp", handle)
  )
})

const notJson = (message: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", error: { code: -32_700, message }, id: null }, { status: 400 })

export const layer = Layer.unwrap(make)
