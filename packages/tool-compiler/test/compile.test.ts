/** Documented functions compile to tools that run; each mistake is an error at its place. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Capability, type Tool, type ToolPack, ToolSchema } from "@bough/tool"
import { describePack, packSpec } from "@bough/tool/testing"
import * as Effect from "effect/Effect"
import { CompileError, compile } from "../src/index.ts"
import { faults } from "./faults.ts"

// Below the package, so that imports of the compiled files resolve.
const folder = fs.mkdtempSync(path.join(import.meta.dirname, "compiled-"))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const project = path.join(folder, "tsconfig.json")
fs.writeFileSync(
  project,
  JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "esnext",
      module: "nodenext",
      skipLibCheck: true,
      exactOptionalPropertyTypes: true,
      types: []
    }
  })
)

let folders = 0
const put = (files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const made = path.join(folder, String((folders += 1)))
  fs.mkdirSync(made)
  return Object.entries(files).map(([name, text]) => {
    fs.writeFileSync(path.join(made, name), text)
    return path.join(made, name)
  })
}

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
const write = (outputs: ReadonlyMap<string, string>): string => {
  for (const [file, text] of outputs) fs.writeFileSync(file, text)
  return [...outputs.keys()][0] ?? ""
}
const load = async (file: string): Promise<ToolPack.Any> =>
  ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { readonly pack: ToolPack.Any }).pack

const first = compile(project, [deployFile])
const source = (await import(/* @vite-ignore */ pathToFileURL(deployFile).href)) as {
  readonly Database: Capability.Any
}
const pack = await load(write(first.outputs))
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

  it("takes defaults and parameters that may be left out", async () => {
    const files = put({
      "count.ts": `/** Counts.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function count(step = 2, label?: string): Promise<string> {\n  return (label ?? "none") + step\n}\n`
    })
    const { errors, outputs } = compile(project, files)
    assert.deepStrictEqual(errors, [])
    const counting = await load(write(outputs))
    assert.deepStrictEqual(ToolSchema.parameters(counting.tools["count"] as Tool.Any), {
      type: "object",
      properties: { step: { type: "number", default: 2 }, label: { type: "string" } },
      additionalProperties: false
    })
  })

  it("writes the same text whatever the order of files", () => {
    const files = put({
      "a.ts": `/** A.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function a(x: "q" | "p"): Promise<void> {}\n`,
      "b.ts": `/** B.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function b(x: "p" | "q"): Promise<void> {}\n`
    })
    const forward = compile(project, files)
    const backward = compile(project, files.toReversed())
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
      const { errors, outputs } = compile(project, put(files))
      assert.strictEqual(outputs.size, 0)
      assert.lengthOf(errors, 1)
      const [error] = errors
      assert.match(error?.message ?? "", message)
      assert.strictEqual(`${error?.line}:${error?.column}`, at)
      assert.notStrictEqual(error?.fix, "")
    })
  }

  it("is shown with a code frame", () => {
    const [error] = compile(project, put(faults["a generic"]?.files ?? {})).errors
    assert.isDefined(error)
    const [head = "", , line, caret] = CompileError.format(error).split("\n")
    assert.match(head, /tools\.ts:5:26: /u)
    assert.strictEqual(line, "5 | export async function id<T>(value: T): Promise<void> {}")
    assert.strictEqual(caret?.indexOf("^"), (line ?? "").indexOf("T>"))
  })
})

describe("the program", () => {
  const main = path.join(import.meta.dirname, "../src/main.ts")

  it("writes beside the sources, and nothing where one of them has a fault", () => {
    const good = put({
      "good.ts": `/** A.\n * @tier ReadOnly\n * @replay Safe\n */\nexport async function a(): Promise<void> {}\n`
    })
    const bad = put(faults["a generic"]?.files ?? {})
    const failed = spawnSync(process.execPath, [main, "--project", project, ...good, ...bad], { encoding: "utf8" })
    assert.strictEqual(failed.status, 1)
    assert.match(failed.stderr, /tools\.ts:5:26: id is generic/u)
    const output = (good[0] ?? "").replace(/\.ts$/u, ".tools.ts")
    assert.isFalse(fs.existsSync(output))
    execFileSync(process.execPath, [main, "--project", project, ...good])
    assert.include(fs.readFileSync(output, "utf8"), `Tool.fromAsync("a"`)
  })
})
