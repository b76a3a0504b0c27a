/** The API reference as a page of Markdown. */
import * as Reference from "../src/Reference.ts"

const pieces: Readonly<Record<Reference.TypeText[number]["as"], (text: string) => string>> = {
  words: (text) => text,
  code: (text) => `\`${text}\``,
  schema: (text) => `[${text}](#${text.toLowerCase()})`
}

const formatType = (type: Reference.TypeText): string =>
  type
    .map(({ as, text }) => pieces[as](text))
    .join("")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ")

const optional = (isRequired: boolean): string => (isRequired ? "" : ", optional")

const formatOperation = (operation: Reference.Operation): string => {
  const { answers, body, id, method, parameters, path, problems, summary } = operation
  const lines = [`### \`${method} ${path}\``, "", `${summary}. \`${id}\``, ""]
  for (const { in: place, name, required, type } of parameters)
    lines.push(`- ${place} \`${name}\`${optional(required)}: ${formatType(type)}`)
  if (body !== null) lines.push(`- body${optional(body.required)}: ${formatType(body.type)}`)
  for (const { status, type } of answers)
    lines.push(`- answer ${status}: ${type === null ? "no body" : formatType(type)}`)
  lines.push(`- problems: ${problems.join(", ")}`)
  return lines.join("\n")
}

const formatSchema = ({ fields, name, options, type }: Reference.Reference["schemas"][number]): string => {
  const rows = fields.map((field) => `- \`${field.name}\`${optional(field.required)}: ${formatType(field.type)}`)
  const choices =
    options.length === 0 ? [formatType(type)] : ["One of:", "", ...options.map((each) => `- ${formatType(each)}`)]
  return [`### ${name}`, "", ...(rows.length === 0 ? choices : rows)].join("\n")
}

const header = `# API of the gateway

Made from the definition in [packages/gateway-api](../packages/gateway-api) by \`node packages/gateway-api/build/reference.ts\`. A running gateway shows the same at
\`/reference\`, and serves it as OpenAPI 3.1 at \`/openapi.json\`.

Requests carry \`Authorization: Bearer TOKEN\`. A mutation with an \`Idempotency-Key\` is carried out once, and its repetition gets the same answer. Errors are \`application/problem+json\`
with a stable \`code\`, and \`recoverable\`: true if the same request can succeed after a pause. A resource that the user may not see is answered as missing: 404, never 403.

## Limits

Names say their unit; the server answers a request beyond a limit with 413, 422, 429 or 431.

`

export const referenceText = (): string => {
  const { groups, limits, schemas } = Reference.make()
  const named = limits.map(([name, value]) => `- \`${name}\`: ${value.toLocaleString("en")}`).join("\n")
  const operations = groups.map(({ name, operations }) =>
    [`## ${name}`, ...operations.map(formatOperation)].join("\n\n")
  )
  return `${header}${named}\n\n${operations.join("\n\n")}\n\n## Schemas\n\n${schemas.map(formatSchema).join("\n\n")}\n`
}
