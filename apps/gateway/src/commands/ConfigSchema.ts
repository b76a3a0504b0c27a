/** `schema`: prints the JSON Schema of `gateway.json`, for editors. */
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Schema from "effect/Schema"
import { GatewayConfig } from "../config/GatewayConfig.ts"

/** Makes the document. */
export const document = (): unknown => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(GatewayConfig, { onExcessProperty: "error" })
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
}

export const command = Command.make("schema", {}, () => Console.log(JSON.stringify(document(), null, 2))).pipe(
  Command.withDescription("Print the JSON Schema of gateway.json")
)
