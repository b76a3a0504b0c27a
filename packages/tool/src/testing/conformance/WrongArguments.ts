/** Arguments that the schema of a tool must refuse, made from a sample by one change each. */
import * as Predicate from "effect/Predicate"

type Json = Readonly<Record<string, unknown>>

export interface WrongArguments {
  /** The field that the error must name, dotted. */
  readonly field: string
  readonly change: string
  readonly value: unknown
}

const probes: ReadonlyArray<readonly [type: string, value: unknown]> = [
  ["string", "\u0000conformance"],
  ["number", 0.5],
  ["boolean", true],
  ["null", null],
  ["array", []],
  ["object", {}]
]

const typesOf = (schema: Json): ReadonlySet<string> | null => {
  const branches = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(branches)) {
    const all = branches.map((branch) => (Predicate.isReadonlyObject(branch) ? typesOf(branch) : null))
    return all.includes(null) ? null : new Set(all.flatMap((types) => [...(types ?? [])]))
  }
  const values = "const" in schema ? [schema["const"]] : Array.isArray(schema["enum"]) ? schema["enum"] : null
  if (values !== null) return new Set(values.map(typeOf))
  const { type } = schema
  if (typeof type === "string") return new Set([type])
  return Array.isArray(type) ? new Set(type.map(String)) : null
}

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

const boundsOf = (schema: Json): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const { maximum, maxLength, minimum, minLength } = schema
  const numeric = schema["type"] === "integer" || schema["type"] === "number"
  const text = schema["type"] === "string"
  return [
    ...(schema["type"] === "integer" ? [["is not an integer", 0.5] as const] : []),
    ...(numeric && typeof minimum === "number" ? [["is below the minimum", minimum - 1] as const] : []),
    ...(numeric && typeof maximum === "number" ? [["is above the maximum", maximum + 1] as const] : []),
    ...(text && typeof minLength === "number" && minLength > 0
      ? [["is too short", "x".repeat(minLength - 1)] as const]
      : []),
    ...(text && typeof maxLength === "number" && maxLength < 1_000_000
      ? [["is too long", "x".repeat(maxLength + 1)] as const]
      : []),
    ...(Array.isArray(schema["enum"]) ? [["is none of the enum", "\u0000conformance"] as const] : [])
  ]
}

/** Every change of one field of `sample` that its JSON Schema forbids. */
export const from = (schema: Json, sample: unknown, prefix = ""): ReadonlyArray<WrongArguments> => {
  if (!Predicate.isReadonlyObject(sample)) return []
  const properties = Predicate.isReadonlyObject(schema["properties"]) ? schema["properties"] : {}
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : []
  const without = (name: string) => Object.fromEntries(Object.entries(sample).filter(([key]) => key !== name))
  const missing = required.map((name) => ({ field: prefix + name, change: "is missing", value: without(name) }))
  const wrong = Object.entries(properties).flatMap(([name, property]): ReadonlyArray<WrongArguments> => {
    if (!Predicate.isReadonlyObject(property)) return []
    const field = prefix + name
    const types = typesOf(property)
    const changeField = (change: string, value: unknown) => ({ field, change, value: { ...sample, [name]: value } })
    const ofOtherType =
      types === null ? [] : probes.filter(([type]) => !types.has(type) && !(type === "number" && types.has("integer")))
    return [
      ...ofOtherType.map(([type, value]) => changeField(`is of type ${type}`, value)),
      ...boundsOf(property).map(([change, value]) => changeField(change, value)),
      ...from(property, sample[name], `${field}.`).map((inner) => ({
        ...inner,
        value: { ...sample, [name]: inner.value }
      }))
    ]
  })
  const surplus =
    // The dispatcher refuses all arguments for a tool without parameters, even if its schema allows them.
    schema["additionalProperties"] === false && Object.keys(properties).length > 0
      ? [{ field: `${prefix}conformance_surplus`, change: "is unknown", value: { ...sample, conformance_surplus: 1 } }]
      : []
  return [...missing, ...wrong, ...surplus]
}
