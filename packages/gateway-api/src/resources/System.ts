/** Health and readiness of the server, which need no token, and its metrics, which need the scope `admin`. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import { Unavailable } from "../Problem.ts"

export const Health = Schema.Struct({ status: Schema.Literal("ok"), version: Schema.String }).annotate({
  identifier: "Health"
})

/** Metrics of the server in Prometheus' text format, without names of users and without content. */
const metrics = HttpApiEndpoint.get("metrics", "/metrics", {
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4" }))
})
  .middleware(Authorization)
  .annotate(RequiredScope, "admin")

export class SystemApi extends HttpApiGroup.make("system").add(
  metrics,
  HttpApiEndpoint.get("health", "/health", { success: Health }),
  /** Responds with 503 while the server ends, or if the store cannot be read. */
  HttpApiEndpoint.get("ready", "/ready", { success: Health, error: Unavailable })
) {}
