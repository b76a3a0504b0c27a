/** Tests of every format both ways: a round trip is lossless, except for reported losses. */
import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { dialects } from "../../src/Dialects.ts"
import type { FormatFault } from "../../src/FormatFault.ts"
import { listOf, nodeOf, requiredOf } from "../../src/internal/nodes.ts"
import type { Loss } from "../../src/Loss.ts"
import * as ToolFormat from "../../src/ToolFormat.ts"
import type { JsonSchema } from "../../src/ToolMessage.ts"
import * as ToolNames from "../../src/ToolNames.ts"
import { differences } from "./difference.ts"
import * as RandomSchema from "./RandomSchema.ts"

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const runs = { arbitrary: { runs: 200, size: 1_000_000 } }

/** One spelling for schemas with the same meaning, since each format has only one of them. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  if (typeof (value as JsonSchema)["$ref"] === "string") return { recursive: true }
  const { anyOf, const: constant, definitions: _, enum: listed, type, ...rest } = value as JsonSchema
  const isOneNumber = typeof rest["minimum"] === "number" && rest["minimum"] === rest["maximum"]
  const literals =
    "const" in value ? [constant] : isOneNumber ? [rest["minimum"]] : Array.isArray(listed) ? listed : null
  if (isOneNumber) delete (rest as Record<string, unknown>)["minimum"]
  if (isOneNumber) delete (rest as Record<string, unknown>)["maximum"]
  const types = literals !== null ? [] : typeof type === "string" ? [type] : listOf(type)
  const alternatives = types.length > 1 ? types.map((one) => ({ type: one })) : listOf(anyOf)
  const members = alternatives.map((one) => plain(one) as JsonSchema)
  const others = members.filter((one) => JSON.stringify(one) !== '{"nullable":true}')
  const isNullable =
    literals?.includes(null) === true || types.includes("null") || members.some((one) => one["nullable"] === true)
  const bare = others.map(({ nullable: _nullable, ...one }) => one)
  const inner = new Map(bare.map((one) => [Canonical.stringify(one), one]))
  const named = types.length > 1 ? [] : types.filter((one) => one !== "null")
  const values = (literals ?? []).filter((one) => one !== null)
  return {
    ...Object.fromEntries(
      Object.entries(rest)
        .filter(([key, member]) => key !== "properties" || Object.keys(nodeOf(member)).length > 0)
        .map(([key, member]) => [key, key === "properties" ? eachPlain(member) : plain(member)])
    ),
    ...(values.length === 0 ? {} : { enum: values }),
    ...(named.length === 0 ? {} : { type: named.join() }),
    ...(inner.size === 0 ? {} : inner.size === 1 ? bare[0] : { anyOf: [...inner.keys()].toSorted().join() }),
    ...(isNullable ? { nullable: true } : {})
  }
}

const eachPlain = (members: unknown) =>
  Object.fromEntries(Object.entries(nodeOf(members)).map(([name, member]) => [name, plain(member)]))

const isTold = (losses: ReadonlyArray<Loss>, given: string): boolean => {
  const place = withoutAlternatives(given)
  return losses
    .map(({ at }) => withoutAlternatives(at))
    .some((at) => place === at || place.startsWith(`${at}/`) || at.startsWith(`${place}/`))
}

/** Some formats cannot express a single alternative beside null. */
const withoutAlternatives = (place: string): string => place.replaceAll(/\/anyOf(?:\/\d+)?/gu, "")

/** A format without references inlines the first level. */
const unrolled = (given: unknown): unknown =>
  JSON.parse(JSON.stringify(given), (key, value: unknown) =>
    key !== "definitions" &&
    typeof value === "object" &&
    value !== null &&
    typeof (value as JsonSchema)["$ref"] === "string"
      ? { ...RandomSchema.tree, properties: { children: { type: "array", items: { recursive: true } } } }
      : value
  )

const succeeded = <A>(result: Result.Result<A, unknown>): A => {
  if (Result.isFailure(result)) assert.fail(JSON.stringify(result.failure))
  return result.success
}

describe.each(ToolFormat.formats)("Dialect %s", (format) => {
  const dialect = dialects[format]

  it.prop(
    "restores declarations, and reports every difference as a loss",
    [Seed],
    ([seed]) => {
      const declaration = RandomSchema.declaration(RandomSchema.random(seed))
      const { losses, value } = dialect.writeDeclarations([declaration])
      const [read] = succeeded(
        dialect.readDeclarations(format === "harmony" ? value : JSON.parse(JSON.stringify(value)))
      )
      assert.strictEqual(read.name, ToolNames.fit(declaration.name, dialect.names))
      assert.strictEqual(
        losses.some(({ kind }) => kind === "Name"),
        read.name !== declaration.name
      )
      if (!losses.some(({ kind }) => kind === "SpecialToken")) {
        assert.strictEqual(read.description, declaration.description)
        const places = differences(
          plain(format === "gemini" ? unrolled(declaration.parameters) : declaration.parameters),
          plain(read.parameters),
          declaration.name
        )
        assert.strictEqual(places.filter((place) => !isTold(losses, place)).join("\n"), "")
      }
      assert.deepStrictEqual(
        Object.keys(nodeOf(read.parameters["properties"])),
        Object.keys(nodeOf(declaration.parameters["properties"]))
      )
      assert.deepStrictEqual(requiredOf(read.parameters), requiredOf(declaration.parameters))
    },
    runs
  )

  it.prop(
    "restores calls",
    [Seed],
    ([seed]) => {
      const calls = RandomSchema.calls(RandomSchema.random(seed))
      const { value } = dialect.writeCalls(calls)
      const read = succeeded(dialect.readCalls(format === "harmony" ? value : JSON.parse(JSON.stringify(value))))
      assert.deepStrictEqual(
        read.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown })),
        calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown }))
      )
    },
    runs
  )

  it.prop(
    "restores results, and reports every difference as a loss",
    [Seed],
    ([seed]) => {
      const results = RandomSchema.results(RandomSchema.random(seed))
      const { losses, value } = dialect.writeResults(results)
      const read = succeeded(dialect.readResults(format === "harmony" ? value : JSON.parse(JSON.stringify(value))))
      assert.strictEqual(read.length, results.length)
      for (const [index, result] of results.entries()) {
        const kinds = new Set(
          losses.filter(({ at }) => at === result.callId || at === `messages/${index}`).map(({ kind }) => kind)
        )
        const { callId, isError, media, name, text } = read[index]
        assert.isTrue(callId === result.callId || (callId === null && kinds.has("CallId")))
        assert.isTrue(name === result.name || name === null)
        assert.isTrue(text === result.text || kinds.has("SpecialToken"))
        assert.isTrue(isError === result.isError || kinds.has("ErrorFlag"))
        assert.isTrue(media.length === result.media.length || kinds.has("Media"))
      }
    },
    runs
  )

  it("refuses a value of another format with a path, and never throws", () => {
    const foreign = [null, 5, "text", [5], { tools: 5 }, { content: [{ type: 5 }] }, [{ name: 5 }], { parts: "x" }]
    for (const input of foreign) {
      for (const read of [dialect.readDeclarations, dialect.readCalls, dialect.readResults]) {
        const result: Result.Result<unknown, FormatFault> = read(input)
        if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "FormatFault")
      }
    }
    let deep: unknown = {}
    for (let level = 0; level < 100; level++) deep = { a: deep }
    assert.isTrue(Result.isFailure(dialect.readDeclarations([{ name: "a", parameters: deep, inputSchema: deep }])))
  })
})

describe("arguments as objects", () => {
  it("report integers that a number cannot represent, and no others", () => {
    const kindsOf = (dialect: keyof typeof dialects, text: string) =>
      dialects[dialect].writeCalls([{ id: "a", name: "t", arguments: text }]).losses.map(({ kind }) => kind)
    for (const dialect of ["anthropic", "gemini", "mcp"] as const) {
      assert.include(kindsOf(dialect, '{"ids":[1,12345678901234567890]}'), "Number")
      assert.include(kindsOf(dialect, '{"n":1e999}'), "Number")
      assert.notInclude(kindsOf(dialect, '{"n":9007199254740991,"m":-0.1,"o":1e21,"p":-0}'), "Number")
    }
    assert.deepStrictEqual(kindsOf("openai-chat", '{"n":12345678901234567890}'), [])
  })
})
