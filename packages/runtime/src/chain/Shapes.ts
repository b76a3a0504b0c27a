/**
 * JSON Schemas of tools to the extent that references need them: the part that a pointer selects, and its possible
 * types. Pure.
 */

type Shape = Readonly<Record<string, unknown>>

const isShape = (value: unknown): value is Shape => value !== null && typeof value === "object" && !Array.isArray(value)

/** A schema without constraints. */
const anything: Shape = {}

/** Returns the schema of the part at these tokens; null: there is no such part. `{}`: it may have any value. */
export const partOf = (shape: Shape, tokens: ReadonlyArray<string>): Shape | null => {
  const [token, ...rest] = tokens
  if (token === undefined) return shape
  const alternatives = alternativesOf(shape)
  if (alternatives !== null) {
    const parts = alternatives.map((one) => partOf(one, tokens)).filter((part) => part !== null)
    return parts.length === 0 ? null : { anyOf: parts }
  }
  const part = stepInto(shape, token)
  return part === null ? null : partOf(part, rest)
}

const alternativesOf = ({ anyOf, oneOf }: Shape): ReadonlyArray<Shape> | null => {
  const all = anyOf ?? oneOf
  return Array.isArray(all) ? all.filter(isShape) : null
}

const stepInto = (shape: Shape, token: string): Shape | null => {
  const { additionalProperties, items, prefixItems, properties } = shape
  if (typeof shape["$ref"] === "string" || Array.isArray(shape["allOf"])) return anything
  if (isShape(properties) && Object.hasOwn(properties, token)) {
    const found = properties[token]
    return isShape(found) ? found : anything
  }
  if (shape["type"] === "array") {
    if (!/^(?:0|[1-9]\d*)$/u.test(token)) return null
    const fixed: unknown = Array.isArray(prefixItems) ? prefixItems[Number(token)] : undefined
    return isShape(fixed) ? fixed : isShape(items) ? items : anything
  }
  if (isShape(additionalProperties)) return additionalProperties
  if (shape["type"] !== undefined && shape["type"] !== "object") return null
  return isShape(properties) && additionalProperties === false ? null : isShape(properties) ? null : anything
}

/** The types that a value of this schema can have; null: any. */
export const typesOf = (shape: Shape): ReadonlySet<string> | null => {
  const alternatives = alternativesOf(shape)
  if (alternatives !== null) {
    const types = alternatives.map(typesOf)
    return types.includes(null) ? null : new Set(types.flatMap((some) => [...(some ?? [])]))
  }
  const { type } = shape
  if (typeof type === "string") return new Set([type])
  if (Array.isArray(type)) return new Set(type.filter((one) => typeof one === "string"))
  const constants = Array.isArray(shape["enum"]) ? shape["enum"] : "const" in shape ? [shape["const"]] : null
  return constants === null ? null : new Set(constants.map(typeOf))
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "boolean" ? "boolean" : typeof value

/** True if no value can fit both schemas. */
export const areApart = (one: Shape, other: Shape): boolean => {
  const [left, right] = [typesOf(one), typesOf(other)]
  if (left === null || right === null) return false
  return ![...left].some((type) => right.has(type) || (isNumber(type) && [...right].some(isNumber)))
}

const isNumber = (type: string): boolean => type === "number" || type === "integer"

/** Formats the types for a message. */
export const typesText = (shape: Shape): string => [...(typesOf(shape) ?? ["anything"])].join(" or ")

/** Lists the fields of an object schema for a message. */
export const partNames = (shape: Shape): ReadonlyArray<string> => [
  ...new Set(
    (alternativesOf(shape) ?? [shape]).flatMap(({ properties }) => (isShape(properties) ? Object.keys(properties) : []))
  )
]
