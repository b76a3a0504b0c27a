/** Random declarations, calls and results: the same for the same seed. */
import type { Call, CallResult, Declaration, JsonSchema } from "../../src/ToolMessage.ts"

export interface Random {
  /** Returns a number from 0 to below `below`. */
  readonly int: (below: number) => number
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  readonly chance: (of: number) => boolean
}

/** Mulberry32. */
export const random = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (below: number) => Math.floor(next() * below)
  return { int, pick: (values) => values[int(values.length)], chance: (of) => next() < of }
}

const words = ["path", "limit", "from", "content-type", "über", "$ref", "default", "a b", "items", "x/y~z"]
const sentences = ["Relative", "In order\nall or none", 'Says "hi" to a | b', "// not a comment", "<|end|> of it", "}"]

const literalsOf = (random: Random): ReadonlyArray<unknown> =>
  random.pick([["a", "b"], ["text"], [1, 2], ["a", null], [true], ["a", 1]])

/** A node of JSON Schema; deeper ones are simpler. */
const node = (random: Random, depth: number): JsonSchema => {
  const described = random.chance(0.3) ? { description: random.pick(sentences) } : {}
  switch (random.int(depth > 2 ? 6 : 10)) {
    case 0:
      return { type: "boolean", ...described }
    case 1:
      return { type: "integer", ...described, ...(random.chance(0.3) ? { minimum: 1 } : {}) }
    case 2:
      return { type: "number", ...described, ...(random.chance(0.3) ? { exclusiveMinimum: 0, multipleOf: 2 } : {}) }
    case 3:
      return { enum: literalsOf(random), ...described }
    case 4:
      return { const: random.pick([1, "x", null, true]), ...described }
    case 5:
      return { type: random.pick(["string", ["string", "null"]]), ...textFacts(random), ...described }
    case 6:
      return {
        type: "array",
        items: node(random, depth + 1),
        ...(random.chance(0.3) ? { minItems: 1, uniqueItems: true } : {})
      }
    case 7:
      return { anyOf: [object(random, depth + 1), alternative(random)], ...described }
    case 8:
      return random.chance(0.5)
        ? { type: "object", additionalProperties: node(random, depth + 1) }
        : { $ref: "#/definitions/tree" }
    default:
      return object(random, depth + 1)
  }
}

/** An alternative without alternatives of its own: formats write nested ones flat. */
const alternative = (random: Random): JsonSchema =>
  random.pick<() => JsonSchema>([
    () => ({ type: "string", ...textFacts(random) }),
    () => ({ type: "number", exclusiveMinimum: 0 }),
    () => ({ type: "null" }),
    () => ({ enum: ["a", "b"] })
  ])()

const textFacts = (random: Random): JsonSchema => ({
  ...(random.chance(0.2) ? { default: random.pick(["a", "two\nlines", '"quoted"', "5"]) } : {}),
  ...(random.chance(0.2) ? { minLength: 1, format: random.pick(["date-time", "uri"]) } : {})
})

const object = (random: Random, depth: number): JsonSchema => {
  const names = words.filter(() => random.chance(0.3))
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, node(random, depth)])),
    ...(random.chance(0.7) ? { additionalProperties: false } : {}),
    ...(names.length > 0 ? { required: names.slice(0, 1 + random.int(names.length)) } : {})
  }
}

export const tree: JsonSchema = {
  type: "object",
  properties: { children: { type: "array", items: { $ref: "#/definitions/tree" } } },
  additionalProperties: false
}

export const declaration = (random: Random): Declaration => {
  const root = object(random, 0)
  return {
    name: random.pick(["look", "read_file", "server__get-issue", "a.b", "löschen", `long_${"x".repeat(150)}`]),
    description: random.pick(["Look", "Look\nand tell", "Uses <|call|> inside", 'A "quoted" one; } and ,']),
    parameters: JSON.stringify(root).includes('"$ref":"#') ? { ...root, definitions: { tree } } : root
  }
}

const value = (random: Random, depth: number): unknown =>
  random.pick<() => unknown>([
    () => random.pick(["", "a", "<|end|>", 'a "b"\n', "ü"]),
    () => random.pick([0, -1, 1.5, 1e21]),
    () => random.chance(0.5),
    () => null,
    () => (depth > 2 ? [] : [value(random, depth + 1), value(random, depth + 1)]),
    () => (depth > 2 ? {} : { [random.pick(words)]: value(random, depth + 1) })
  ])()

export const calls = (random: Random): ReadonlyArray<Call> =>
  Array.from({ length: random.int(4) }, (_, index) => ({
    id: `call_${index + 1}`,
    name: random.pick(["look", "read_file"]),
    arguments: JSON.stringify(Object.fromEntries(words.slice(0, random.int(3)).map((word) => [word, value(random, 0)])))
  }))

export const results = (random: Random): ReadonlyArray<CallResult> =>
  Array.from({ length: random.int(4) }, (_, index) => ({
    callId: `call_${index + 1}`,
    name: random.pick(["look", "read_file"]),
    text: random.pick(["", "done", "<|end|>", '{"a":1}', "ü\n"]),
    isError: random.chance(0.3),
    media: random.chance(0.3) ? [{ mediaType: "image/png", data: "aGk=" }] : []
  }))
