/** Documented functions compile to tools that run; each mistake is an error at its position. */
import { Capability, type Tool, ToolSchema } from "@bough/tool"
import { describePack, packSpec } from "@bough/tool/testing"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { CompileError, ToolCompiler } from "../src/index.ts"
import { faults } from "./faults.ts"
import { load, makeProject, write } from "./project.ts"

const project = makeProject("compiled")
const compiler = new ToolCompiler(project.config)
afterAll(() => {
  compiler.close()
  project.remove()
})
const { put } = project

const deploy = `
import { Capability, type Uses } from "@bough/tool"
import type * as Effect from "effect/Effect"

export class Database extends Capability.make("acme/Database", { floor: "System", reach: "Confined" })<
  Database,
  { readonly insert: (row: string) => Effect.Effect<number> }
>() {}

interface Place {
  /** The zone of the place. */
  zone: string
  racks?: number[]
}

/**
 * Deploys the site.
 *
 * @tier System
 * @replay Unsafe
 * @version 2
 * @param environment where to
 * @param place which machines
 */
export async function deploySite(
  environment: "staging" | "live",
  place: Place,
  times: number,
  dry: boolean | null,
  { database, progress }: Uses<[Database]>
): Promise<{ row: number; labels: string[]; note: string | null }> {
  progress("deploying")
  const row = await database.insert([environment, place.zone, times, dry ?? false].join(" "))
  return { row, labels: [environment], note: null }
}

/**
 * Does nothing.
 * @tier ReadOnly
 * @replay Safe
 */
export async function rest(): Promise<void> {}
`

const [deployFile = ""] = put({ "deploy.ts": deploy })
const rows: Array<string> = []
const first = compiler.compile([deployFile])
const source = (await import(/* @vite-ignore */ pathToFileURL(deployFile).href)) as {
  readonly Database: Capability.Any
}
const pack = await load(write(first.outputs)[0])
const toolOf = (name: string): Tool.Any => pack.tools[name] as Tool.Any

describe("compile", () => {
  it("makes a tool of a documented function", () => {
    assert.deepStrictEqual(first.errors, [])
    const { description, replay, tier, version } = toolOf("deploy_site")
    assert.deepStrictEqual(
      { description, replay, tier, version },
      {
        description: "Deploys the site.",
        replay: "Unsafe",
        tier: "System",
        version: 2
      }
    )
    assert.deepStrictEqual(toolOf("deploy_site").capabilities, [source.Database])
    assert.deepStrictEqual(ToolSchema.parameters(toolOf("deploy_site")), {
      type: "object",
      properties: {
        environment: { type: "string", enum: ["live", "staging"], description: "where to" },
        place: {
          type: "object",
          properties: {
            zone: { type: "string", description: "The zone of the place." },
            racks: { type: "array", items: { type: "number" } }
          },
          required: ["zone"],
          additionalProperties: false,
          description: "which machines"
        },
        times: { type: "number" },
        dry: { anyOf: [{ type: "boolean" }, { type: "null" }] }
      },
      required: ["environment", "place", "times", "dry"],
      additionalProperties: false
    })
  })

  it("accepts defaults and optional parameters", async () => {
    const files = put({
      "count.ts": `/** Counts.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function count(step = 2, label?: string): Promise<string> {\n  return (label ?? "none") + step\n}\n`
    })
    const { errors, outputs } = compiler.compile(files)
    assert.deepStrictEqual(errors, [])
    const counting = await load(write(outputs)[0])
    assert.deepStrictEqual(ToolSchema.parameters(counting.tools["count"] as Tool.Any), {
      type: "object",
      properties: { step: { type: "number", default: 2 }, label: { type: "string" } },
      additionalProperties: false
    })
  })

  it("writes the same text for any order of files", () => {
    const files = put({
      "a.ts": `/** A.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function a(x: "q" | "p"): Promise<void> {}\n`,
      "b.ts": `/** B.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function b(x: "p" | "q"): Promise<void> {}\n`
    })
    const forward = compiler.compile(files)
    const backward = compiler.compile(files.toReversed())
    assert.strictEqual(forward.tools, 2)
    assert.deepStrictEqual([...forward.outputs], [...backward.outputs])
    assert.include([...forward.outputs.values()][0], `Schema.Literals(["p", "q"])`)
  })
})

describePack(
  "the compiled pack",
  packSpec(pack, {
    provide: () => ({
      provisions: [
        Capability.provide(source.Database, {
          service: { insert: (row: string) => Effect.sync(() => rows.push(row)) }
        })
      ]
    })
  }),
  { describe, it }
)

describe("a fault", () => {
  for (const [name, { at, files, message }] of Object.entries(faults)) {
    it(`${name} is an error at its place`, () => {
      const { errors, outputs } = compiler.compile(put(files).slice(0, 1))
      assert.strictEqual(outputs.size, 0)
      assert.lengthOf(errors, 1)
      const [error] = errors
      assert.match(error?.message ?? "", message)
      assert.strictEqual(`${error?.line}:${error?.column}`, at)
      assert.notStrictEqual(error?.fix, "")
    })
  }

  it("is shown with a code frame", () => {
    const [error] = compiler.compile(put(faults["a generic"]?.files ?? {})).errors
    assert.isDefined(error)
    const [head = "", , line, caret] = CompileError.format(error).split("\n")
    assert.match(head, /tools\.ts:5:26: /u)
    assert.strictEqual(line, "5 | export async function id<T>(value: T): Promise<void> {}")
    assert.strictEqual(caret?.indexOf("^"), (line ?? "").indexOf("T>"))
  })
})

describe("the program", () => {
  const main = path.join(import.meta.dirname, "../src/main.ts")

  it("writes beside the sources, and nothing if one of them has a fault", thoroughOnly, () => {
    const good = put({
      "good.ts": `/** A.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function a(): Promise<void> {}\n`
    })
    const bad = put(faults["a generic"]?.files ?? {})
    const run = (...args: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [main, "--project", project.config, ...args], { encoding: "utf8" })
    const failed = run(...good, ...bad)
    assert.strictEqual(failed.status, 1)
    assert.match(failed.stderr, /tools\.ts:5:26: id is generic/u)
    const output = (good[0] ?? "").replace(/\.ts$/u, ".tools.ts")
    assert.isFalse(fs.existsSync(output))
    const stale = run("--check", ...good)
    assert.strictEqual(stale.status, 1)
    assert.match(stale.stderr, /good\.tools\.ts is out of date/u)
    assert.isFalse(fs.existsSync(output))
    assert.strictEqual(run(...good).stdout, "wrote 1 tool to 1 file\n")
    assert.include(fs.readFileSync(output, "utf8"), `("a", {`)
    assert.strictEqual(run("--check", ...good).status, 0)
  })
})
