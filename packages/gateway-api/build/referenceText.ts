/** The API reference as a page of Markdown, from the document that the server and the clients come from. */
import * as OpenApi from "effect/http-api/OpenApi"
import * as Api from "../src/Api.ts"
import { limits } from "../src/Limits.ts"

type Schema = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? ""

/** A schema in a few words; names of the document's schemas are links. */
const formatType = (schema: Schema | undefined): string => {
  if (schema === undefined) return "anything"
  if (typeof schema["$ref"] === "string") return `[${nameOf(schema["$ref"])}](#${nameOf(schema["$ref"]).toLowerCase()})`
  if ("const" in schema) return `\`${JSON.stringify(schema["const"])}\``
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => `\`${JSON.stringify(value)}\``).join(" or ")
  const options = (schema["anyOf"] ?? schema["oneOf"]) as ReadonlyArray<Schema> | undefined
  if (options !== undefined) return [...new Set(options.map(formatType))].join(" or ")
  if (schema["type"] === "array") return `list of ${formatType(schema["items"] as Schema | undefined)}`
  if (schema["type"] !== "object") return typeof schema["type"] === "string" ? schema["type"] : "anything"
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>)
  return fields.length === 0
    ? "object"
    : `{ ${fields.map(([name, field]) => `${name}: ${formatType(field)}`).join(", ")} }`
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const formatContent = (content: Operation["responses"][string]["content"]): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => (/[/+]json$/u.test(type) ? formatType(schema) : `\`${type}\``))
    .join(" or ")

const problemsOf = ({ responses }: Operation): ReadonlyArray<string> =>
  Object.keys(responses).filter((status) => Number(status) >= 400)

const formatOperation = (method: string, path: string, operation: Operation): string => {
  const { operationId, parameters, requestBody, responses, summary } = operation
  const lines = [`### \`${method.toUpperCase()} ${path}\``, "", `${summary ?? operationId}. \`${operationId}\``, ""]
  const optional = (isRequired: boolean): string => (isRequired ? "" : ", optional")
  for (const { in: place, name, required, schema } of parameters)
    lines.push(`- ${place} \`${name}\`${optional(required)}: ${cell(formatType(schema))}`)
  if (requestBody !== undefined) lines.push(`- body: ${cell(formatContent(requestBody.content))}`)
  for (const [status, { content }] of Object.entries(responses))
    if (Number(status) < 400)
      lines.push(`- answer ${status}: ${content === undefined ? "no body" : cell(formatContent(content))}`)
  lines.push(`- problems: ${problemsOf(operation).join(", ")}`)
  return lines.join("\n")
}

const formatSchema = (name: string, schema: Schema): string => {
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>)
  const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
  const rows = fields.map(
    ([field, type]) => `- \`${field}\`${required.has(field) ? "" : ", optional"}: ${cell(formatType(type))}`
  )
  return [`### ${name}`, "", ...(rows.length === 0 ? [cell(formatType(schema))] : rows)].join("\n")
}

const formatLimits = (): string =>
  Object.entries(limits)
    .map(([name, value]) => `- \`${name}\`: ${value.toLocaleString("en")}`)
    .join("\n")

const header = `# API of the gateway

Made from the definition in [packages/gateway-api](../packages/gateway-api) by \`node packages/gateway-api/build/reference.ts\`. A running gateway serves the same as
OpenAPI 3.1 at \`/openapi.json\`.

Requests carry \`Authorization: Bearer TOKEN\`. A mutation with an \`Idempotency-Key\` is carried out once and answered alike. Errors are \`application/problem+json\`
with a stable \`code\`. What a user may not see is missing: 404, never 403.

## Limits

Names say their unit; the server answers what is beyond them with 413, 422, 429 or 431.

`

export const referenceText = (): string => {
  const { components, paths, tags } = OpenApi.fromApi(Api.Api)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      method,
      path,
      operation
    }))
  )
  const groups = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return [`## ${name}`, ...own.map(({ method, operation, path }) => formatOperation(method, path, operation))].join(
      "\n\n"
    )
  })
  const schemas = Object.entries(components.schemas as Readonly<Record<string, Schema>>)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => formatSchema(name, schema))
  return `${header}${formatLimits()}\n\n${groups.join("\n\n")}\n\n## Schemas\n\n${schemas.join("\n\n")}\n`
}
