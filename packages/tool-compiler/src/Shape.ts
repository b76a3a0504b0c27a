/** The JSON form of a type, read from the checker or from the syntax, and written as a schema and as a type. */

export type Shape =
  | { readonly _tag: "Text" | "Number" | "Boolean" | "Null" }
  | { readonly _tag: "Literal"; readonly value: string | number | boolean }
  /** Members of an enum. Literals are not assignable to them, so only the enum itself can be their type. */
  | { readonly _tag: "Enum"; readonly values: ReadonlyArray<string | number> }
  | { readonly _tag: "Array"; readonly item: Shape; readonly isMutable: boolean }
  | { readonly _tag: "Tuple"; readonly items: ReadonlyArray<TupleItem>; readonly isMutable: boolean }
  | { readonly _tag: "Record"; readonly value: Shape }
  | { readonly _tag: "Object"; readonly fields: ReadonlyArray<Field> }
  /** The members are sorted, because the checker orders them as it encountered them. */
  | { readonly _tag: "Union"; readonly members: ReadonlyArray<Shape> }

export interface TupleItem {
  readonly shape: Shape
  readonly isOptional: boolean
}

export interface Field {
  readonly name: string
  readonly shape: Shape
  readonly isOptional: boolean
  readonly description: string
}

export const text: Shape = { _tag: "Text" }
export const number: Shape = { _tag: "Number" }
export const boolean: Shape = { _tag: "Boolean" }
export const nullShape: Shape = { _tag: "Null" }
export const literal = (value: string | number | boolean): Shape => ({ _tag: "Literal", value })
export const array = (item: Shape, isMutable: boolean): Shape => ({ _tag: "Array", item, isMutable })

/** Makes a union in a fixed order, without members that another member covers. */
export const union = (members: ReadonlyArray<Shape>): Shape => {
  const flat = members.flatMap((member) => (member._tag === "Union" ? member.members : [member]))
  const values = flat.flatMap((member) => (member._tag === "Enum" ? member.values : []))
  const enums: ReadonlyArray<Shape> = values.length === 0 ? [] : [{ _tag: "Enum", values: values.toSorted(byText) }]
  const isBoolean = [true, false].every((value) => flat.some((one) => one._tag === "Literal" && one.value === value))
  const rest = flat.filter(
    (member) => member._tag !== "Enum" && !(isBoolean && member._tag === "Literal" && typeof member.value === "boolean")
  )
  const all = [...rest, ...enums, ...(isBoolean ? [boolean] : [])]
  const distinct = new Map(all.map((member) => [orderOf(member), member]))
  const sorted = [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member)
  const [only] = sorted
  return sorted.length === 1 && only !== undefined ? only : { _tag: "Union", members: sorted }
}

const byText = (a: string | number, b: string | number): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/**
 * Sorts literals first and null last; objects with more required fields come before those with fewer, so that no member
 * hides another.
 */
const orderOf = (shape: Shape): string => {
  const rank = shape._tag === "Literal" ? 0 : shape._tag === "Null" ? 9 : 5
  const needed = shape._tag === "Object" ? shape.fields.filter(({ isOptional }) => !isOptional).length : 0
  return `${rank}${String(9999 - needed).padStart(4, "0")}${JSON.stringify(shape)}`
}

/** True if the shape contains an enum: its type is then taken from the function. */
export const isNominal = (shape: Shape): boolean => {
  switch (shape._tag) {
    case "Enum":
      return true
    case "Array":
      return isNominal(shape.item)
    case "Record":
      return isNominal(shape.value)
    case "Tuple":
      return shape.items.some((item) => isNominal(item.shape))
    case "Object":
      return shape.fields.some((field) => isNominal(field.shape))
    case "Union":
      return shape.members.some(isNominal)
    default:
      return false
  }
}

/**
 * Describes the part at the path, as in `["place", "zone"]`; null: there is none. The description of the part itself
 * takes precedence.
 */
export const describe = (shape: Shape, [name, ...rest]: ReadonlyArray<string>, description: string): Shape | null => {
  if (shape._tag === "Array") {
    const item = describe(shape.item, [name ?? "", ...rest], description)
    return item === null ? null : { ...shape, item }
  }
  if (shape._tag === "Union") {
    const members = shape.members.map((member) => describe(member, [name ?? "", ...rest], description))
    if (members.every((member) => member === null)) return null
    return { ...shape, members: members.map((member, index) => member ?? shape.members[index]) }
  }
  if (shape._tag !== "Object") return null
  const fields = shape.fields.map((field): Field | null => {
    if (field.name !== name) return null
    if (rest.length === 0) return field.description === "" ? { ...field, description } : field
    const inner = describe(field.shape, rest, description)
    return inner === null ? null : { ...field, shape: inner }
  })
  if (fields.every((field) => field === null)) return null
  return { ...shape, fields: fields.map((field, index) => field ?? shape.fields[index]) }
}
