/** The conformance kit: a sound tool passes, and each broken one fails for its own reason alone. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Tool, ToolPack } from "../../src/index.ts"
import { describePack, Nonconformance, packSpec, type Check } from "../../src/testing.ts"
import { disturbances, steadfast } from "./disturbances.ts"
import { hiddenEffects, honest } from "./hiddenEffects.ts"
import { done, leaks, sound, Table, world, writing, zoo } from "./zoo.ts"

const root = fs.mkdtempSync(path.join(tmpdir(), "bough-conformance-"))
const samples = (name: string) => ({ [name]: [{ row: "x" }] })
const formats = { names: (tools: ReadonlyArray<{ readonly name: string }>) => tools.map(({ name }) => name) }
const provide = world(root)

afterAll(() => {
  fs.rmSync(root, { recursive: true })
  for (const leak of leaks) leak()
})

describePack("a sound pack", packSpec(ToolPack.make(sound), { provide, samples: samples("add_row"), formats }), {
  describe,
  it
})

for (const [name, tool] of Object.entries({ ...honest, ...steadfast })) {
  describePack(
    `a pack whose tool ${name}`,
    packSpec(ToolPack.make(tool), { provide, samples: samples("t"), formats }),
    { describe, it }
  )
}

const faultOf = async ({ rule, run }: Check): Promise<readonly [string, string] | null> => {
  try {
    await run()
    return null
  } catch (error) {
    assert.instanceOf(error, Nonconformance)
    return [rule, error.message]
  }
}

describe("a broken pack", () => {
  it("the zoo has at least twenty", () => {
    assert.isAtLeast(Object.keys(zoo).length, 20)
  })

  for (const [name, { fault, pack, rule }] of Object.entries({ ...zoo, ...hiddenEffects, ...disturbances })) {
    it(`with ${name} fails for that`, async () => {
      const found = []
      for (const check of packSpec(pack, { provide, samples: samples("t"), formats })) {
        if (check.rule === rule) found.push(await faultOf(check))
      }
      assert.lengthOf(found, 1)
      assert.match(found[0]?.[1] ?? "nothing", fault)
    })
  }
})

describe("packSpec", () => {
  it("refuses samples of a tool that the pack lacks", () => {
    assert.throws(() => packSpec(ToolPack.make(sound), { samples: { ad_row: [] } }), /no tool ad_row/u)
  })

  it("skips a rule that is excepted with a reason", () => {
    const all = packSpec(ToolPack.make(sound))
    const some = packSpec(ToolPack.make(sound), { except: { add_row: { "the tier is honest": "it has no world" } } })
    assert.deepStrictEqual(
      all.filter(({ name }) => !some.some((check) => check.name === name)).map(({ name }) => name),
      ["add_row: the tier is honest"]
    )
  })

  it("names a capability that the world lacks, because only its first call could fail", async () => {
    const both = Tool.make("t", {
      ...writing,
      replay: "Unsafe",
      execute: ({ row }) =>
        Effect.as(
          Effect.flatMap(Table, ({ add }) => Effect.andThen(add(row), add(row))),
          done
        )
    })
    const checks = packSpec(ToolPack.make(both), { samples: samples("t") })
    const check = checks.find(({ rule }) => rule === "failures at every call are answered")
    const fault = check === undefined ? null : await faultOf(check)
    assert.match(fault?.[1] ?? "nothing", /execute failed: .*the fake Table refuses: `provide` returns no Table/u)
  })

  it("restores Node's functions", async () => {
    const before = fs.writeFileSync
    for (const check of packSpec(ToolPack.make(sound), { provide, samples: samples("add_row") })) await check.run()
    assert.strictEqual(fs.writeFileSync, before)
  })
})
