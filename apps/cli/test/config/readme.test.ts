/** Tests that the README describes the configuration: its samples are valid, and no key is missing. */
import * as ConfigSchema from "@bough/host/config/ConfigSchema"
import * as SchemaDocument from "@bough/host/config/SchemaDocument"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parse } from "jsonc-parser"
import { readFileSync } from "node:fs"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")
const samples = [...readme.matchAll(/^```jsonc\n([\s\S]*?)^```$/gm)].map(([, body = ""]) => body)
const decode = Schema.decodeUnknownResult(ConfigSchema.User, { onExcessProperty: "error" })

/** Every name of a property within a JSON Schema. */
const namesIn = (schema: unknown): ReadonlyArray<string> =>
  typeof schema !== "object" || schema === null
    ? []
    : Object.entries(schema).flatMap(([key, value]) => [
        ...(key === "properties" ? Object.keys(value as object) : []),
        ...namesIn(value)
      ])

describe("the README of the command", () => {
  it("shows configurations that are valid", () => {
    assert.isAbove(samples.length, 3)
    for (const sample of samples) {
      const decoded = decode(parse(sample))
      assert.isTrue(Result.isSuccess(decoded), `${sample}\n${Result.isFailure(decoded) ? String(decoded.failure) : ""}`)
    }
  })

  it("names every key of the configuration", () => {
    const names = new Set(namesIn(SchemaDocument.user()).filter((name) => !name.startsWith("$")))
    assert.isAbove(names.size, 30)
    assert.deepStrictEqual(
      [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(readme)),
      []
    )
  })
})
