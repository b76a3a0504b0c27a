/** A configuration file is read with all of its faults, and a project's file has no key of the operator's. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as ConfigFile from "../../src/config/ConfigFile.ts"
import * as ConfigSchema from "../../src/config/ConfigSchema.ts"
import * as SchemaDocument from "../../src/config/SchemaDocument.ts"

/** Paths of all properties within a JSON Schema, outer ones first. */
const pathsIn = (schema: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> }
  return Object.entries(properties).flatMap(([key, below]) => [[...path, key], ...pathsIn(below, [...path, key])])
}

const keysOf = (document: unknown): ReadonlyArray<string> => pathsIn(document).map((path) => path.join("."))

/** `{"a":{"b":true}}` for a.b. */
const holding = (key: string): string =>
  JSON.stringify(key.split(".").reduceRight<unknown>((value, name) => ({ [name]: value }), true))

const readProject = (text: string) =>
  Effect.flip(
    ConfigFile.read(
      { name: "config.jsonc", text },
      { schema: ConfigSchema.Project, variables: null, operatorSchema: ConfigSchema.User }
    )
  )

describe("ConfigFile", () => {
  it.effect(
    "refuses every operator key in a project's file, and says where it belongs",
    () =>
      Effect.gen(function* () {
        const shared = new Set(keysOf(SchemaDocument.project()))
        const own = keysOf(SchemaDocument.user()).filter((key) => !shared.has(key))
        assert.includeMembers([...own], ["effort", "network", "rules.allow", "terminal", "reflection"])
        for (const key of own) {
          const parts = key.split(".")
          const first = parts.map((_, index) => parts.slice(0, index + 1).join(".")).find((name) => !shared.has(name))
          const { message } = yield* readProject(holding(key))
          assert.strictEqual(
            message,
            `config.jsonc:1: ${first} is the operator's to decide: it belongs in ~/.config/bough/config.jsonc`
          )
        }
      }),
    thoroughOnly
  )

  it.effect("refuses a text that nests too deep, in a line, and no brackets in strings and comments", () =>
    Effect.gen(function* () {
      const deep = "[".repeat(200_000)
      for (const text of [deep, `{"rules":${deep}`, '{"a":'.repeat(200_000)]) {
        const { message } = yield* readProject(`{\n"limits": ${text}`)
        assert.strictEqual(message, "config.jsonc:2: nested deeper than 100")
      }
      const quoted = yield* readProject(`{\n// ${deep}\n/* ${deep} */ "x": "\\"${deep}" }`)
      assert.strictEqual(quoted.message, 'config.jsonc:3: unknown key "x"')
    })
  )

  it.effect("suggests the nearest key for an unknown one", () =>
    Effect.gen(function* () {
      const { message } = yield* readProject('{ "limtis": {} }')
      assert.strictEqual(message, 'config.jsonc:1: unknown key "limtis"; did you mean "limits"?')
      const misplaced = yield* readProject('{ "maxSteps": 3 }')
      assert.strictEqual(misplaced.message, 'config.jsonc:1: unknown key "maxSteps"; did you mean "limits.maxSteps"?')
    })
  )

  it.effect("reports all faults of a file, the first as the message and the others as details", () =>
    Effect.gen(function* () {
      const text = '{\n  "model": "none",\n  "limits": { "maxSteps": 0 },\n  "model": "a/b"\n}'
      const { details, hint, message, reason } = yield* readProject(text)
      assert.strictEqual(reason, "Invalid")
      assert.match(message, /^config\.jsonc:3: limits\.maxSteps: /)
      assert.match(details, /^config\.jsonc:4: duplicate key "model"/)
      assert.strictEqual(hint, "and 1 more, with --verbose")
    })
  )
})
