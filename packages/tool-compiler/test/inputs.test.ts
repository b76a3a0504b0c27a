/** Sources in the styles of other authors: each compiles to the schema of its types. */
import { open } from "@bough/sdk"
import { type Tool, type ToolPack, ToolSchema } from "@bough/tool"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { buildSync } from "esbuild"
import * as path from "node:path"
import { type CompileResult, ToolCompiler } from "../src/index.ts"
import { load, makeProject, write } from "./project.ts"

const doc = "/** Does it. @tier ReadOnly @replay Safe */\n"

const files: Readonly<Record<string, string>> = {
  "forms.ts": `
const inner = async (x: string) => x.length
${doc}export const arrow = async (x: string): Promise<number> => inner(x)
type Counter = (x: string, step?: number) => Promise<number>
${doc}export const typed: Counter = async (x, step) => x.length + (step ?? 0)
${doc}export default async function fallback(): Promise<void> {}
${doc}async function hidden(x: string): Promise<string> { return x }
export { hidden as shown }
/** Helps. @internal */
export function helper() {}
export interface Types { readonly a: string }
export const constant = 3
${doc}export async function schema(source: string, input: string, context: string): Promise<string> { return source + input + context }
`,
  "types.ts": `
import type { Base } from "./base.ts"
export enum Color { Red = "red", Blue = "blue" }
enum Level { Low, High = 4 }
const LIMIT = 5
interface Leaf extends Base { /** on one line */ leaf?: boolean }
interface Page<T> { items: T[]; next: string | null }
${doc}export async function paint(color: Color, level: Level, none: Color | null = null, first: Color = Color.Blue, step: Level = Level.High, times: number = LIMIT): Promise<{ color: Color }> { return { color } }
${doc}export async function shapes(
  shape: { kind: "circle"; r: number } | { kind: "square"; side: number; label?: string },
  point: [number, string?],
  scores: Record<string, number>,
  both: Record<"b" | "a", string>,
  names: readonly string[],
  leaf: Leaf,
  mixed: Base & { extra: true },
  picked: Pick<Leaf, "id">,
  page: Page<{ id: number }>,
  free: "x" | (string & {})
): Promise<{ ok: true; value: number } | { ok: false; error: string }> { return { ok: true, value: names.length } }
`,
  "base.ts": `export interface Base {
  /**
   * The id,
   * over two lines.
   */
  id: string
}
`,
  "texts.ts": `
import type { Tool } from "@bough/tool"
/**
 * Greets. See {@link greet | itself} or {@link greet this one}, mail me@example.org or ask @alice.
 *
 * \`\`\`ts
 * @decorator
 * \`\`\`
 *
 * @tier ReadOnly
 * @replay Safe
 * @param {object} who - the person
 * @param who.name the name
 *   in full
 * @param [größe=1] wie groß
 * @param list[].x the x
 * @returns the text
 */
export async function greet(who: { name: string }, list: Array<{ x: number }>, größe = 1, /** in place */ last: string = 'it\\'s'): Promise<string> {
  return who.name + größe + last
}
/** Reads. @tier ReadOnly @replay Safe @forModel shortened */
export async function whole(text: string): Promise<Tool.ToolResult<{ text: string }>> {
  return { output: { text }, display: "Read " + text.length }
}
export const shortened = ({ text }: { text: string }) => text.slice(0, 2)
/** Yields. @tier ReadOnly @replay Safe */
export async function* steps(n: number): AsyncGenerator<string, { done: number }> {
  for (let i = 0; i < n; i++) yield "step " + i
  return { done: n }
}
/** ${"Long. ".repeat(1000)}@tier ReadOnly @replay Safe */
export async function long(): Promise<void> {}
`
}

const project = makeProject("inputs")
const sources = project.put(files).filter((file) => !file.endsWith("/base.ts"))
const compiler = new ToolCompiler(project.config)
const compiled: CompileResult = compiler.compile(sources)
afterAll(() => {
  compiler.close()
  project.remove()
})
const outputs = write(compiled.outputs)
const packOf = (name: string): Promise<ToolPack.Any> => load(outputs.find((file) => file.endsWith(`/${name}.tools.ts`)))
const schemaOf = (pack: ToolPack.Any, name: string) =>
  ToolSchema.parameters(pack.tools[name] as Tool.Any)["properties"] as Readonly<Record<string, unknown>>

describe("a source", () => {
  it("compiles without an error", () => {
    assert.deepStrictEqual(compiled.errors, [])
  })

  it("may export constants, a default and a list, and helpers that are not tools", async () => {
    const pack = await packOf("forms")
    assert.sameMembers(Object.keys(pack.tools), ["arrow", "typed", "fallback", "shown", "schema"])
    assert.deepStrictEqual(ToolSchema.parameters(pack.tools["typed"] as Tool.Any)["required"], ["x"])
    await using tools = await open(pack, { root: project.folder })
    const call = tools as unknown as Record<string, (input: unknown) => Promise<{ result?: { output: unknown } }>>
    assert.deepStrictEqual((await call["typed"]?.({ x: "abc", step: 2 }))?.result?.output, 5)
    assert.deepStrictEqual((await call["schema"]?.({ source: "a", input: "b", context: "c" }))?.result?.output, "abc")
    assert.deepStrictEqual((await call["fallback"]?.({}))?.result?.output, {})
  })

  it("may use enums, unions, tuples, records, inherited and generic interfaces", async () => {
    // Node does not run enums unchanged.
    const bundle = path.join(project.folder, "types.mjs")
    const entry = outputs.find((file) => file.endsWith("/types.tools.ts")) ?? ""
    buildSync({ entryPoints: [entry], bundle: true, packages: "external", format: "esm", outfile: bundle })
    const pack = await load(bundle)
    assert.deepStrictEqual(schemaOf(pack, "paint"), {
      color: { type: "string", enum: ["blue", "red"] },
      level: { type: "number", enum: [0, 4] },
      none: { anyOf: [{ type: "string", enum: ["blue", "red"] }, { type: "null" }], default: null },
      first: { type: "string", enum: ["blue", "red"], default: "blue" },
      step: { type: "number", enum: [0, 4], default: 4 },
      times: { type: "number", default: 5 }
    })
    const { both, free, leaf, mixed, names, page, picked, point, scores, shape } = schemaOf(pack, "shapes")
    const id = { type: "string", description: "The id,\nover two lines." }
    const object = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
      type: "object",
      properties,
      required,
      additionalProperties: false
    })
    assert.deepStrictEqual(
      { both, free, leaf, mixed, names, page, picked, scores },
      {
        both: object({ a: { type: "string" }, b: { type: "string" } }, ["a", "b"]),
        free: { anyOf: [{ type: "string", enum: ["x"] }, { type: "string" }] },
        leaf: object({ leaf: { type: "boolean", description: "on one line" }, id }, ["id"]),
        mixed: object({ id, extra: { type: "boolean", enum: [true] } }, ["id", "extra"]),
        names: { type: "array", items: { type: "string" } },
        page: object(
          {
            items: { type: "array", items: object({ id: { type: "number" } }, ["id"]) },
            next: { anyOf: [{ type: "string" }, { type: "null" }] }
          },
          ["items", "next"]
        ),
        picked: object({ id }, ["id"]),
        scores: { type: "object", additionalProperties: { type: "number" } }
      }
    )
    assert.deepInclude(point, { type: "array", minItems: 1 })
    assert.lengthOf((shape as { readonly anyOf: ReadonlyArray<unknown> }).anyOf, 2)
  })

  it("keeps its descriptions unchanged", async () => {
    const pack = await packOf("texts")
    const { description } = pack.tools["greet"] as Tool.Any
    assert.strictEqual(
      description,
      "Greets. See itself or this one, mail me@example.org or ask @alice.\n\n```ts\n@decorator\n```"
    )
    const { größe, last, list, who } = schemaOf(pack, "greet")
    assert.deepInclude(who, {
      description: "the person",
      properties: { name: { type: "string", description: "the name in full" } }
    })
    assert.deepStrictEqual(größe, { type: "number", description: "wie groß", default: 1 })
    assert.deepStrictEqual(last, { type: "string", description: "in place", default: "it's" })
    assert.deepNestedInclude(list, { "items.properties.x": { type: "number", description: "the x" } })
    assert.lengthOf((pack.tools["long"] as Tool.Any).description, 5999)
  })

  it("may return a full result, with the model's text", async () => {
    const pack = await packOf("texts")
    assert.sameMembers(Object.keys(pack.tools), ["greet", "whole", "steps", "long"])
    await using tools = await open(pack, { root: project.folder })
    const call = tools as unknown as Record<
      string,
      (input: unknown) => Promise<{ result?: { output: unknown; display: string } }>
    >
    assert.deepInclude((await call["whole"]?.({ text: "abc" }))?.result, { output: { text: "abc" }, display: "Read 3" })
    assert.strictEqual((pack.tools["whole"] as Tool.Any).forModel?.({ text: "abc" }), "ab")
    // A plain text is returned unchanged, not as JSON.
    assert.strictEqual((pack.tools["greet"] as Tool.Any).forModel?.("line\n"), "line\n")
  })

  it("may yield lines of progress", async () => {
    await using tools = await open(await packOf("texts"), { root: project.folder })
    const call = tools as unknown as Record<string, (input: unknown) => Promise<{ result?: { output: unknown } }>>
    assert.deepStrictEqual((await call["steps"]?.({ n: 2 }))?.result?.output, { done: 2 })
  })

  it("imports the emitted file if its project does not import .ts", () => {
    const plain = makeProject("plain", { rewriteRelativeImportExtensions: false, exactOptionalPropertyTypes: false })
    const own = new ToolCompiler(plain.config)
    try {
      const { errors, outputs: texts } = own.compile(
        plain.put({ "a.mts": `${doc}export async function a(): Promise<{ x?: number }> { return {} }\n` })
      )
      assert.deepStrictEqual(errors, [])
      const [[file, text] = ["", ""]] = [...texts]
      assert.match(file, /\/a\.tools\.mts$/u)
      assert.include(text, `from "./a.mjs"`)
      assert.include(text, "readonly x?: number | undefined")
    } finally {
      own.close()
      plain.remove()
    }
  })

  it("is refused in a project without strict null checks", () => {
    const loose = makeProject("loose", { strict: false })
    const own = new ToolCompiler(loose.config)
    try {
      const [error] = own.compile(loose.put({ "a.ts": `${doc}export async function a(): Promise<void> {}\n` })).errors
      assert.match(error?.message ?? "", /strictNullChecks is off/u)
      assert.strictEqual(error?.file, loose.config)
    } finally {
      own.close()
      loose.remove()
    }
  })
})
