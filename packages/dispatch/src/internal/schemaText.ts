/**
 * Formats a JSON Schema for a model beside an error; the text is shortened, because the tool's declaration contains the
 * whole schema.
 */

/** The number of enum values that are written before the rest is counted. */
const mostValues = 12
/** The maximum number of characters of the text. */
const mostText = 2_000

export const schemaText = (schema: Readonly<Record<string, unknown>>): string => {
  const whole = JSON.stringify(schema)
  if (whole.length <= mostText) return whole
  const text = JSON.stringify(shorter(schema))
  return text.length <= mostText ? text : `${text.slice(0, mostText).toWellFormed()}… (the declaration has the rest)`
}

const shorter = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(shorter)
  if (node === null || typeof node !== "object") return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === "enum" && Array.isArray(value) && value.length > mostValues
        ? [key, [...value.slice(0, mostValues), `… ${value.length - mostValues} more`]]
        : [key, shorter(value)]
    )
  )
}
