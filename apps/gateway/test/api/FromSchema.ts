/** Values that match a JSON Schema of the document, and variants of them with mistakes that clients make. */
import type { Json, JsonSchema } from "./Document.ts"
import type { Random } from "./Random.ts"

/** Texts that have broken servers: control characters, lone surrogates, paths, markup, SQL, prototypes, very long ones. */
export const strangeTexts: ReadonlyArray<string> = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "undefined",
  "true",
  "NaN",
  "1e999",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202eabc",
  "e\u0301".repeat(50),
  "🌲".repeat(30),
  "../../../etc/passwd",
  "..%2f..%2fetc",
  "%",
  "%zz",
  "'; DROP TABLE sessions; --",
  '" OR 1=1 --',
  "<script>alert(1)</script>",
  "{{7*7}}",
  "${jndi:ldap://127.0.0.1/a}",
  "__proto__",
  "constructor",
  "\r\nX-Injected: 1",
  "1.1",
  "99999999999999999999",
  "latest",
  "a".repeat(5_000)
]

const strangeValues: ReadonlyArray<Json> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_992,
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: { prototype: {} } },
  ...strangeTexts
]

type Resolve = (reference: string) => JsonSchema

/** Makes values of a document whose references `resolve` finds. */
export const make = (resolve: Resolve, random: Random) => {
  const text = (schema: JsonSchema): string => {
    const least = Number(schema["minLength"] ?? 0)
    const most = Math.min(Number(schema["maxLength"] ?? 30), 200)
    const length = Math.max(least, random.int(Math.max(most, least)))
    const letters = "abcdefghijklmnopqrstuvwxyz0123456789-._"
    const plain = Array.from({ length }, () => letters[random.int(letters.length - 1)]).join("")
    const pattern = schema["pattern"]
    if (typeof pattern !== "string") return plain
    const matcher = new RegExp(pattern, "u")
    const day = `2026-11-${String(1 + random.int(27)).padStart(2, "0")}`
    const hex = random.int(2 ** 30).toString(16)
    const candidates = [
      plain,
      `a${plain}`.slice(0, 30),
      "aGVsbG8=",
      day,
      "0.0",
      `${random.int(99)}.${random.int(9)}`,
      hex.padStart(16, "0")
    ]
    return candidates.find((candidate) => matcher.test(candidate)) ?? plain
  }
  const numeric = (schema: JsonSchema, isWhole: boolean): number => {
    const least = Number(schema["minimum"] ?? schema["exclusiveMinimum"] ?? 0)
    const most = Math.min(Number(schema["maximum"] ?? least + 1_000), least + 1_000_000)
    const value = least + random.next() * (most - least)
    return isWhole ? Math.ceil(value) : value
  }
  const fitting = (schema: JsonSchema, depth = 0): Json => {
    if (typeof schema["$ref"] === "string") return fitting(resolve(schema["$ref"]), depth)
    if ("const" in schema) return schema["const"] as Json
    if (Array.isArray(schema["enum"])) return random.pick(schema["enum"] as ReadonlyArray<Json>)
    const options = (schema["anyOf"] ?? schema["oneOf"]) as ReadonlyArray<JsonSchema> | undefined
    if (options !== undefined) return fitting(random.pick(options), depth + 1)
    const all = (schema["allOf"] ?? []) as ReadonlyArray<JsonSchema>
    const merged = Object.assign({}, schema, ...all) as JsonSchema
    const type = Array.isArray(merged["type"]) ? random.pick(merged["type"] as ReadonlyArray<string>) : merged["type"]
    switch (type) {
      case "string":
        return text(merged)
      case "integer":
        return numeric(merged, true)
      case "number":
        return numeric(merged, false)
      case "boolean":
        return random.chance(0.5)
      case "null":
        return null
      case "array": {
        const least = Number(merged["minItems"] ?? 0)
        const items = (merged["items"] ?? {}) as JsonSchema
        return Array.from({ length: least + (depth > 4 ? 0 : random.int(3)) }, () => fitting(items, depth + 1))
      }
      default: {
        const required = new Set((merged["required"] ?? []) as ReadonlyArray<string>)
        const properties = Object.entries((merged["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>)
        return Object.fromEntries(
          properties
            .filter(([name]) => required.has(name) || (depth < 5 && random.chance(0.6)))
            .map(([name, property]) => [name, fitting(property, depth + 1)])
        )
      }
    }
  }
  /** One mistake somewhere in the value. */
  const spoiled = (value: Json): Json => {
    if (value === null || typeof value !== "object" || random.chance(0.2)) return random.pick(strangeValues)
    if (Array.isArray(value)) {
      const items = value as ReadonlyArray<Json>
      if (items.length === 0 || random.chance(0.3)) return [...items, random.pick(strangeValues)]
      const at = random.int(items.length - 1)
      return items.map((item, index) => (index === at ? spoiled(item) : item))
    }
    const entries = Object.entries(value)
    if (entries.length === 0 || random.chance(0.2)) {
      return Object.fromEntries([...entries, [random.pick(strangeTexts), random.pick(strangeValues)]])
    }
    const at = random.int(entries.length - 1)
    if (random.chance(0.3)) return Object.fromEntries(entries.filter((_, index) => index !== at))
    return Object.fromEntries(entries.map(([name, item], index) => [name, index === at ? spoiled(item) : item]))
  }
  return { fitting, spoiled }
}
