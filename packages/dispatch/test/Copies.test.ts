/**
 * Tests of tools that another copy of effect or of the contract made. The copies are real: files linked to another
 * path.
 */
import { Contract, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OwnSchema from "effect/Schema"
import * as fs from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Copies } from "../src/index.ts"

const made = (schema: typeof OwnSchema, parts: Partial<Tool.Any> = {}): Tool.Any => ({
  ...Tool.make("greet", {
    version: 1,
    description: "Greets",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: schema.Struct({ name: schema.String }),
    output: schema.Struct({ text: schema.String }),
    execute: ({ name }) => Effect.succeed(Tool.result({ output: { text: name }, display: "" }))
  }),
  ...parts
})

/** Another copy of a folder, without its bytes. */
const linkAll = (from: string, to: string): void => {
  fs.mkdirSync(to, { recursive: true })
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) linkAll(join(from, entry.name), join(to, entry.name))
    else if (/\.(js|json)$/.test(entry.name)) fs.linkSync(join(from, entry.name), join(to, entry.name))
  }
}

const ownEffect = dirname(dirname(fileURLToPath(import.meta.resolve("effect/Schema"))))

const withCopy = (test: (copy: { readonly place: string; readonly Schema: typeof OwnSchema }) => void) =>
  Effect.acquireUseRelease(
    Effect.sync(() => fs.mkdtempSync(join(dirname(ownEffect), "copy-"))),
    (folder) =>
      Effect.promise(async () => {
        const place = join(folder, "node_modules/effect")
        linkAll(join(ownEffect, "dist"), join(place, "dist"))
        fs.linkSync(join(ownEffect, "package.json"), join(place, "package.json"))
        const Schema = (await import(pathToFileURL(join(place, "dist/Schema.js")).href)) as typeof OwnSchema
        test({ place, Schema })
      }),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )

describe("Copies", () => {
  it("reports nothing about tools of this copy", () => {
    assert.isNull(Copies.fault([made(OwnSchema), made(OwnSchema, { name: "other" })]))
  })

  it.live("names the tool, the part and both places of two copies of effect", () =>
    withCopy(({ Schema, place }) => {
      const own = OwnSchema.Struct({ name: OwnSchema.String })
      const nested = OwnSchema.Struct({ list: OwnSchema.Array(OwnSchema.NullOr(Schema.String)) })
      for (const [tool, what] of [
        [made(Schema), "the parameters of the tool greet"],
        [made(OwnSchema, { output: Schema.Struct({ at: Schema.Date }) }), "the output of the tool greet"],
        [made(OwnSchema, { parameters: nested }), "the parameters of the tool greet"],
        [made(Schema, { parameters: own }), "the output of the tool greet"]
      ] as const) {
        const fault = Copies.fault([tool]) ?? assert.fail(what)
        assert.include(fault, `the schema of ${what} was made by effect`)
        assert.include(fault, ownEffect)
        assert.include(fault, "npm ls effect")
        assert.notInclude(fault, "\n")
      }
      assert.include(Copies.fault([made(Schema)]), place)
    })
  )

  it("names the tool and both places of two copies of the contract", () => {
    const other: Contract.Contract = { ...Contract.own, place: "file:///elsewhere/@bough/tool/src/Contract.ts" }
    const fault = Copies.fault([made(OwnSchema, { [Contract.key]: other })])
    assert.include(
      fault,
      "the tool greet was declared with @bough/tool at file:///elsewhere/@bough/tool/src/Contract.ts"
    )
    assert.include(fault, Contract.own.place)
    assert.include(fault, "npm ls @bough/tool")
  })

  it("refuses a value that no contract made", () => {
    const { [Contract.key]: _, ...bare } = made(OwnSchema)
    assert.include(Copies.fault([bare]), "was declared with no copy of @bough/tool that this version knows")
  })
})
