/** Health and readiness of the server: the only routes that need no token. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Unavailable } from "../Problem.ts"

export const Health = Schema.Struct({ status: Schema.Literal("ok"), version: Schema.String }).annotate({
  identifier: "Health"
})

export class SystemApi extends HttpApiGroup.make("system").add(
  HttpApiEndpoint.get("health", "/health", { success: Health }),
  /** 503 while the server ends, or where the store cannot be read. */
  HttpApiEndpoint.get("ready", "/ready", { success: Health, error: Unavailable })
) {}
