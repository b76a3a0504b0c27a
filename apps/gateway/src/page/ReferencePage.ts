/** The API reference as a page without a script, from the definition of the API. */
import { Reference } from "@bough/gateway-api"

const escape = (text: string): string => text.replace(/[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`)

const anchor = (kind: "group" | "operation" | "schema", name: string): string =>
  `${kind}-${name.toLowerCase().replace(/[^a-z0-9]+/gu, "-")}`

const pieces: Readonly<Record<Reference.TypeText[number]["as"], (text: string) => string>> = {
  words: escape,
  code: (text) => `<code>${escape(text)}</code>`,
  schema: (text) => `<a href="#${anchor("schema", text)}">${escape(text)}</a>`
}

const typeOf = (type: Reference.TypeText): string => type.map(({ as, text }) => pieces[as](text)).join("")

type Row = readonly [term: string, description: string]

const list = (rows: ReadonlyArray<Row>): string =>
  `<dl>${rows.map(([term, description]) => `<dt>${term}</dt><dd>${description}</dd>`).join("")}</dl>`

const fieldRow = ({ name, required, type }: Reference.Field, location = ""): Row => [
  escape(name),
  `${typeOf(type)} <span class="muted">${[location, required ? "" : "optional"].filter((word) => word !== "").join(", ")}</span>`
]

const operationOf = (operation: Reference.Operation): string => {
  const { answers, body, id, method, parameters, path, problems, summary } = operation
  const rows: ReadonlyArray<Row> = [
    ...parameters.map((parameter) => fieldRow(parameter, `in the ${parameter.in}`)),
    ...(body === null ? [] : [[body.required ? "body" : "body, optional", typeOf(body.type)] as const]),
    ...answers.map(({ status, type }): Row => [`answer ${status}`, type === null ? "no body" : typeOf(type)]),
    ["problems", problems.join(", ")]
  ]
  const heading = `<h3><span class="method">${escape(method)}</span> ${escape(path)}</h3>`
  return `<section class="operation" id="${anchor("operation", id)}">${heading}<p>${escape(summary)}. <code class="muted">${escape(id)}</code></p>${list(rows)}</section>`
}

const schemaOf = ({ fields, name, options, type }: Reference.Reference["schemas"][number]): string => {
  const choices =
    options.length === 0
      ? `<p>${typeOf(type)}</p>`
      : `<p>One of:</p><ul>${options.map((each) => `<li>${typeOf(each)}</li>`).join("")}</ul>`
  const content = fields.length === 0 ? choices : list(fields.map((field) => fieldRow(field)))
  return `<section class="schema" id="${anchor("schema", name)}"><h3>${escape(name)}</h3>${content}</section>`
}

const introduction = `<h1>API of the gateway</h1>
<p>Requests carry <code>Authorization: Bearer TOKEN</code>. A repeated mutation with the same <code>Idempotency-Key</code> runs once and gets the same answer. Errors are <code>application/problem+json</code> with a stable <code>code</code>. A resource that a user may not see is answered with 404, never with 403.</p>
<p>The same as a document: <a href="openapi.json">OpenAPI 3.1</a>. To the conversations: <a href="./">the page</a>.</p>`

/** Uses only relative addresses, so that the page also works below a path prefix. */
export const make = (reference: Reference.Reference): string => {
  const { groups, limits, schemas } = reference
  const contents = [
    ...groups.map(({ name }) => [anchor("group", name), name]),
    ["limits", "Limits"],
    ["schemas", "Schemas"]
  ]
    .map(([id, name]) => `<li><a href="#${id}">${escape(name)}</a></li>`)
    .join("")
  const operations = groups
    .map(
      ({ name, operations }) =>
        `<h2 id="${anchor("group", name)}">${escape(name)}</h2>${operations.map(operationOf).join("")}`
    )
    .join("")
  const bounds = list(limits.map(([name, value]) => [escape(name), value.toLocaleString("en")]))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>API of the gateway · Bough</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference.css">
</head>
<body>
<nav aria-label="Contents"><strong>Bough API</strong><ul>${contents}</ul></nav>
<main>${introduction}${operations}
<h2 id="limits">Limits</h2><p>Names say their unit; the server answers a request beyond a limit with 413, 422, 429 or 431.</p>${bounds}
<h2 id="schemas">Schemas</h2>${schemas.map(schemaOf).join("")}</main>
</body>
</html>
`
}
