/** The agents, models and tools that sessions can have here. */
import { Session, Tier } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import { NotFound } from "../Problem.ts"

export const Agent = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  /** `workspace`: a file of the workspace defines it; the user trusts that file by creating a session with the agent. */
  from: Schema.Literals(["gateway", "configuration", "workspace"]),
  /** The default model of its sessions; null: the server's default. */
  model: Schema.NullOr(Schema.String),
  /** The kinds of session for which it has tools. */
  kinds: Schema.Array(Session.Kind)
}).annotate({ identifier: "Agent" })

export const Model = Schema.Struct({
  /** `provider/model`. */
  name: Schema.String,
  /** The setting that makes the model usable, such as a key. */
  reason: Schema.String,
  /** True: sessions use it by default. */
  isDefault: Schema.Boolean
}).annotate({ identifier: "Model" })

export const Tool = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  version: Schema.Natural,
  tier: Tier.Tier,
  replay: Schema.String,
  kinds: Schema.Array(Session.Kind),
  /** The JSON Schema of its arguments. */
  parameters: Schema.Record(Schema.String, Schema.Json)
}).annotate({ identifier: "Tool" })

const items = <S extends Schema.Top>(item: S) => Schema.Struct({ items: Schema.Array(item) })

export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(
    HttpApiEndpoint.get("agents", "/agents", {
      query: { workspaceId: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(100))) },
      success: items(Agent),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.get("models", "/models", { success: items(Model) }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.get("tools", "/tools", { success: items(Tool) }).annotate(RequiredScope, "read")
  )
  .middleware(Authorization)
  .prefix("/api/v1") {}
