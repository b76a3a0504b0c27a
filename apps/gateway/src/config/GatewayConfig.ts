/**
 * The configuration of the gateway: a JSON file that only the operator writes. Flags of the command line take
 * precedence.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { AuthSettings } from "../auth/AuthSettings.ts"
import { LogLevel } from "../operations/JsonLog.ts"
import { RetentionSettings } from "../operations/Retention.ts"
import { CatalogSettings } from "../sessions/AgentCatalog.ts"

export const GatewayConfig = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String.annotate({ description: "The address of this schema, for editors" })),
  host: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "The address to listen on; default 127.0.0.1" })
  ),
  port: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })).annotate({
      description: "The port to listen on; default 8642"
    })
  ),
  access: Schema.optionalKey(
    AuthSettings.annotate({ description: "The host names of the gateway, and the ways to sign in" })
  ),
  ...CatalogSettings,
  log: Schema.optionalKey(
    LogLevel.annotate({ description: "The lowest level of lines in the log, on standard error; default info" })
  ),
  retention: Schema.optionalKey(
    RetentionSettings.annotate({ description: "How long archived and ended sessions are kept, with their files" })
  ),
  webhooks: Schema.optionalKey(
    Schema.Struct({
      allow: Schema.optionalKey(
        Schema.Array(
          Schema.Struct({
            host: Schema.NonEmptyString,
            port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
          })
        ).annotate({ description: "Receivers that may have any address, and may use http" })
      )
    }).annotate({ description: "Receivers of webhooks that are not on the internet; default none" })
  )
}).annotate({ identifier: "GatewayConfig", title: "Configuration of bough-gateway" })
export type GatewayConfig = typeof GatewayConfig.Type

/** The file cannot be read, or does not fit its schema. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.path}: ${this.reason}`
  }
}

const decode = Schema.decodeUnknownEffect(GatewayConfig, { onExcessProperty: "error", errors: "all" })
const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const segmentOf = (segment: unknown): string =>
  String(typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment)

/** Names each invalid key; values are not repeated. */
const reasonOf = (error: Schema.SchemaError): string =>
  formatIssues(error.issue)
    .issues.map(({ message, path = [] }) => `${path.map(segmentOf).join(".")}: ${message}`)
    .join("; ")

export const fromText = (path: string, text: string): Effect.Effect<GatewayConfig, ConfigInvalid> =>
  Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: (cause) => new ConfigInvalid({ path, reason: `is not JSON: ${(cause as Error).message}` })
  }).pipe(
    Effect.flatMap((value) =>
      Effect.mapError(decode(value), (error) => new ConfigInvalid({ path, reason: reasonOf(error) }))
    )
  )

/** Reads the file that `given` names, else `gateway.json` of the data folder if it exists. */
export const load = (dataDirectory: string, configPath: string | null): Effect.Effect<GatewayConfig, ConfigInvalid> =>
  Effect.suspend(() => {
    const path = configPath ?? join(dataDirectory, "gateway.json")
    if (configPath === null && !existsSync(path)) return Effect.succeed({})
    return Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (cause) => new ConfigInvalid({ path, reason: `cannot be read: ${(cause as Error).message}` })
    }).pipe(Effect.flatMap((text) => fromText(path, text)))
  })
