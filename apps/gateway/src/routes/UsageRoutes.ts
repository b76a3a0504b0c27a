/** Handler of usage and cost. */
import { Api, Authorization } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { UsageLedger } from "../operations/UsageLedger.ts"

export const layer = HttpApiBuilder.group(
  Api.Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const ledger = yield* UsageLedger
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { from, sessionId, to } }) {
        const user = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        const items = yield* ledger.rows({
          user,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          ...(sessionId === undefined ? {} : { treeId: sessionId })
        })
        return { items }
      })
    })
  })
)
