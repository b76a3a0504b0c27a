/**
 * Formats a JSON Schema for a model beside an error; the text is shortened, because the tool's declaration contains the
 * whole schema.
 */

/** The number of enum values that are written before the rest is counted. */
const maxValues = 12
/** The maximum number of characters of the text. */
const maxText = 2_000

export const schemaText = (schema: Readonly<Record<string, unknown>>): string => {
  const fullText = JSON.stringify(schema)
  if (fullText.length <= maxText) return fullText
  const text = JSON.stringify(shorter(schema))
  return text.length <= maxText ? text : `${text.slice(0, maxText).toWellFormed()}… (the declaration has the rest)`
}

const shorter = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(shorter)
  if (node === null || typeof node !== "object") return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === "enum" && Array.isArray(value) && value.length > maxValues
        ? [key, [...value.slice(0, maxValues), `… ${value.length - maxValues} more`]]
        : [key, shorter(value)]
    )
  )
}
