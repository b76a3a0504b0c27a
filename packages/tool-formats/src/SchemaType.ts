/**
 * Prints a JSON Schema as a TypeScript type, for models that get tools as types. Parts that a type cannot express are
 * left out.
 */

export type JsonSchema = Readonly<Record<string, unknown>>

/** Prints the type, with objects over several lines. A schema of another kind, such as a recursive one, is `any`. */
export const typeText = (schema: JsonSchema): string => {
  const members = membersOf(schema)
  if (members !== null) return members.join(" | ")
  switch (schema["type"]) {
    case "string":
    case "boolean":
    case "null":
      return schema["type"]
    case "number":
    case "integer":
      return "number"
    case "array":
      return array(schema)
    case "object":
      return object(schema)
    default:
      return "any"
  }
}

/** Returns the distinct alternatives of a type; null: it has none. */
const membersOf = (schema: JsonSchema): ReadonlyArray<string> | null => {
  const { anyOf, enum: literals, oneOf, type } = schema
  if ("const" in schema) return [JSON.stringify(schema["const"])]
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null
  const texts = Array.isArray(literals)
    ? literals.map((literal) => JSON.stringify(literal))
    : alternatives !== null
      ? alternatives.flatMap((member) => membersOf(asNode(member)) ?? [typeText(asNode(member))])
      : Array.isArray(type)
        ? type.map((name) => typeText({ ...schema, type: name }))
        : null
  return texts === null ? null : [...new Set(texts)]
}

/** Makes one comment line for each line of text. */
export const comment = (text: string): ReadonlyArray<string> =>
  text.trim() === ""
    ? []
    : text
        .trim()
        .split(/\r?\n/)
        .map((line) => `// ${line}`.trimEnd())

/** Returns the object under a key; empty if there is none. */
export const nodeAt = (schema: JsonSchema, key: string): JsonSchema => asNode(schema[key])

const asNode = (value: unknown): JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}

const array = (schema: JsonSchema): string => {
  const items = nodeAt(schema, "items")
  const members = membersOf(items)
  return members !== null && members.length > 1 ? `(${members.join(" | ")})[]` : `${typeText(items)}[]`
}

const object = (schema: JsonSchema): string => {
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const lines = Object.entries(nodeAt(schema, "properties")).flatMap(([name, member]) =>
    property(name, asNode(member), required.includes(name))
  )
  const others = schema["additionalProperties"]
  if (typeof others === "object" && others !== null) lines.push(`[key: string]: ${typeText(asNode(others))},`)
  return lines.length === 0 ? (others === false ? "{}" : "object") : ["{", ...lines, "}"].join("\n")
}

const property = (name: string, schema: JsonSchema, required: boolean): Array<string> => {
  const { default: value, description } = schema
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  const note = value === undefined ? "" : ` // default: ${defaultText(value)}`
  return [
    ...(typeof description === "string" ? comment(description) : []),
    `${key}${required ? "" : "?"}: ${typeText(schema)},${note}`
  ]
}

/** Formats a default: text is unquoted, unless it has several lines, which would end its comment. */
const defaultText = (value: unknown): string =>
  typeof value === "string" && !/[\r\n]/u.test(value) ? value : JSON.stringify(value)
