/** A JSON Schema as a TypeScript type, for models that read tools that way. What a type cannot say is left out. */

export type JsonSchema = Readonly<Record<string, unknown>>

/** The type, objects over several lines. A schema that is none of these, such as one that holds itself, is `any`. */
export const typeText = (schema: JsonSchema): string => {
  const { anyOf, enum: literals, oneOf, type } = schema
  if ("const" in schema) return JSON.stringify(schema["const"])
  if (Array.isArray(literals)) return union(literals.map((literal) => JSON.stringify(literal)))
  const members = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null
  if (members !== null) return union(members.map((member) => typeText(asNode(member))))
  if (Array.isArray(type)) return union(type.map((name) => typeText({ ...schema, type: name })))
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type
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

/** One comment line a line of text. */
export const comment = (text: string): ReadonlyArray<string> =>
  text.trim() === ""
    ? []
    : text
        .trim()
        .split(/\r?\n/)
        .map((line) => `// ${line}`.trimEnd())

/** The object under a key; empty without one. */
export const nodeAt = (schema: JsonSchema, key: string): JsonSchema => asNode(schema[key])

const asNode = (value: unknown): JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}

const union = (members: ReadonlyArray<string>): string => [...new Set(members)].join(" | ")

const array = (schema: JsonSchema): string => {
  const items = typeText(nodeAt(schema, "items"))
  return items.includes(" | ") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`
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
  const note = value === undefined ? "" : ` // default: ${typeof value === "string" ? value : JSON.stringify(value)}`
  return [
    ...(typeof description === "string" ? comment(description) : []),
    `${key}${required ? "" : "?"}: ${typeText(schema)},${note}`
  ]
}
