/** Names and texts of a source that would be code in the generated module, if they were written there unquoted. */
import { open } from "@bough/sdk"
import { type Tool, type ToolPack, ToolSchema } from "@bough/tool"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import { ToolCompiler } from "../src/index.ts"
import { load, makeProject, write } from "./project.ts"

/** A name that ends any literal, comment or list around it, and then leaves a mark. */
const evil = `x"'\`*/ } from "./caps.ts"; globalThis.broken = true; import { y`
const doc = "/** Does it. @tier ReadOnly @replay Safe */\n"

const files: Readonly<Record<string, string>> = {
  "caps.ts": `
import { Capability } from "@bough/tool"
class Hidden extends Capability.make("acme/Hidden", { floor: "ReadOnly", reach: "Confined" })<Hidden, { readonly ask: () => unknown }>() {}
export { Hidden as ${JSON.stringify(evil)} }
export const y = 1
export * as inner from "./inner.ts"
`,
  "inner.ts": `
import { Capability } from "@bough/tool"
export class Deep extends Capability.make("acme/Deep", { floor: "ReadOnly", reach: "Confined" })<Deep, { readonly ask: () => unknown }>() {}
`,
  "tools.ts": `
import { Capability, type Uses } from "@bough/tool"
import { ${JSON.stringify(evil)} as Hidden, inner } from "./caps.ts"
${doc}export async function named(x: string, { hidden, deep }: Uses<[Hidden, inner /* ] */ . // y
  Deep]>): Promise<boolean> { return hidden !== undefined && deep !== undefined }

/** Renders. @tier ReadOnly @replay Safe @forModel ${evil.replace("*/", "").replace(/\n/gu, " ")} */
export async function rendered(): Promise<{ a: number }> { return { a: 1 } }
const render = ({ a }: { a: number }) => "rendered " + a
export { render as ${JSON.stringify(evil.replace("*/", "").replace(/\n/gu, " "))} }

/**
 * ${evil.replace("*/", "*\\/")} \${globalThis.broken = true} \\u0022 \u2028 \u{1f600} \\
 *
 * @tier ReadOnly
 * @replay Safe
 * @param o \${globalThis.broken = true} " \\"
 */
export async function texts(
  o: { /** " */ ${JSON.stringify(evil)}: string; "": number; "a\\nb"?: boolean; "constructor": string },
  kind: ${JSON.stringify(evil)} | "\\u2028" | "\\u0000" | "</script>",
  plain: string = ${JSON.stringify(evil)},
  list: { ${JSON.stringify(evil)}: string }[] = [{ ${JSON.stringify(evil)}: "\\u2029" }]
): Promise<string> { return kind + o[""] + plain + list.length }

${doc}export async function constructor(prototype: string, toString: number, input: string, context: string, arguments_: string): Promise<string> { return prototype + toString + input + context + arguments_ }
`
}

const project = makeProject("breakouts")
const made = project.put(files)
const compiler = new ToolCompiler(project.config)
afterAll(() => {
  compiler.close()
  project.remove()
})
const compiled = compiler.compile(made.filter((file) => file.endsWith("/tools.ts")))
const broken = () => (globalThis as { broken?: boolean }).broken

describe("a source whose names and texts are code", () => {
  it("compiles", () => {
    assert.deepStrictEqual(compiled.errors, [])
  })

  it("becomes the same names and texts in the tools, and no code", async () => {
    const pack: ToolPack.Any = await load(write(compiled.outputs)[0])
    assert.isUndefined(broken())
    assert.sameMembers(Object.keys(pack.tools), ["named", "rendered", "texts", "constructor"])
    const tool = (name: string) => pack.tools[name] as Tool.Any
    assert.strictEqual(tool("rendered").forModel?.({ a: 1 }), "rendered 1")
    assert.deepStrictEqual(
      tool("named").capabilities.map(({ key }) => key),
      ["acme/Hidden", "acme/Deep"]
    )
    assert.include(tool("texts").description, "${globalThis.broken = true} \\u0022 \u2028 \u{1f600} \\")
    const { kind, list, o, plain } = ToolSchema.parameters(tool("texts"))["properties"] as Record<string, never>
    assert.deepInclude(o, { description: '${globalThis.broken = true} " \\"' })
    assert.sameMembers(Object.keys((o as { properties: object }).properties), [evil, "", "a\nb", "constructor"])
    assert.sameMembers((kind as { enum: Array<string> }).enum, [evil, "\u2028", "\0", "</script>"])
    assert.deepInclude(plain, { default: evil })
    assert.deepInclude(list, { default: [{ [evil]: "\u2029" }] })
  })

  it("becomes the same in the module for a bundle", () => {
    const [text = ""] = compiled.modules.values()
    const file = `${project.folder}/1/bundled.ts`
    fs.writeFileSync(file, text)
    return load(file).then(() => assert.isUndefined(broken()))
  })

  it("has tools that run", async () => {
    const pack = await load(write(compiled.outputs)[0])
    await using tools = await open(pack, { root: project.folder, provide: [] } as never)
    const call = tools as unknown as Record<string, (input: unknown) => Promise<{ result?: { output: unknown } }>>
    const input = { prototype: "a", toString: 1, input: "b", context: "c", arguments_: "d" }
    assert.strictEqual((await call["constructor"]?.(input))?.result?.output, "a1bcd")
    const o = { [evil]: "x", "": 1, constructor: "y" }
    assert.strictEqual((await call["texts"]?.({ o, kind: "\0" }))?.result?.output, `\u00001${evil}1`)
  })
})
