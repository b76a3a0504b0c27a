/** Compiled tools in bundles of Vite and esbuild, and in Vite's development server. */
import type { ToolPack } from "@bough/tool"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { build as esbuild } from "esbuild"
import * as fs from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { build as vite, createServer } from "vite"
import { thoroughOnly } from "../../../test/thorough.ts"
import { toolCompiler } from "../src/plugin.ts"
import { makeProject } from "./project.ts"

const project = makeProject("plugin")
afterAll(() => project.remove())

const source = (type: string) =>
  `/** Counts. @tier ReadOnly @replay Safe */\nexport async function count(step: ${type} = 1): Promise<string> {\n  return "at " + step\n}\n`
const [file = "", entry = ""] = project.put({
  "count.ts": source("number"),
  "main.ts": `export { pack } from "./count.ts?tools"\n`
})
const out = (name: string) => path.join(project.folder, name)
const options = { project: project.config }

interface Bundle {
  readonly pack: ToolPack.Any
}

const namesOf = async (bundle: string): Promise<ReadonlyArray<string>> => {
  const { pack } = (await import(/* @vite-ignore */ pathToFileURL(bundle).href)) as Bundle
  return Object.keys(pack.tools)
}

const viteOptions = {
  root: project.folder,
  configFile: false,
  logLevel: "silent"
} as const

describe("the plugin", () => {
  it("compiles an import with ?tools in a build of esbuild", async () => {
    await esbuild({
      entryPoints: [entry],
      bundle: true,
      packages: "external",
      format: "esm",
      outfile: out("esbuild.mjs"),
      plugins: [toolCompiler.esbuild(options)],
      logLevel: "silent"
    })
    assert.deepStrictEqual(await namesOf(out("esbuild.mjs")), ["count"])
    assert.isFalse(fs.existsSync(file.replace(/\.ts$/u, ".tools.ts")))
  })

  it("compiles an import with ?tools in a build of Vite", thoroughOnly, async () => {
    await vite({
      ...viteOptions,
      plugins: [toolCompiler.vite(options)],
      build: { ssr: entry, outDir: out("vite"), emptyOutDir: true }
    })
    assert.deepStrictEqual(await namesOf(path.join(out("vite"), "main.js")), ["count"])
  })

  it("fails a build with the code frames of the errors", async () => {
    const [, wrong = ""] = project.put({
      "wrong.ts": source("Date").replace(" = 1", ""),
      "main.ts": `export { pack } from "./wrong.ts?tools"\n`
    })
    const failed = await esbuild({
      entryPoints: [wrong],
      bundle: true,
      write: false,
      plugins: [toolCompiler.esbuild(options)],
      logLevel: "silent"
    }).then(
      () => "",
      (thrown: unknown) => String(thrown)
    )
    assert.match(failed, /wrong\.ts:2:29: step is of type Date/u)
    assert.include(failed, "make the Date inside")
  })

  it("compiles again in a development server when the source changes", thoroughOnly, async () => {
    const server = await createServer({
      ...viteOptions,
      appType: "custom",
      server: { middlewareMode: true, ws: false },
      plugins: [toolCompiler.vite(options)]
    })
    try {
      const load = async () => ((await server.ssrLoadModule(entry)) as Bundle).pack.tools["count"]?.parameters.ast
      const text = async () => JSON.stringify(await load())
      const before = await text()
      fs.writeFileSync(file, source("1 | 2"))
      while ((await text()) === before) await new Promise((resolve) => setTimeout(resolve, 20))
      assert.include(await text(), '"literal":2')
    } finally {
      await server.close()
    }
  })

  it("writes the outputs of the configured sources before a build", thoroughOnly, async () => {
    const [one = "", own = ""] = project.put({
      "one.ts": source("number"),
      "main.ts": `export { pack } from "./one.tools.ts"\n`
    })
    await esbuild({
      entryPoints: [own],
      bundle: true,
      packages: "external",
      format: "esm",
      outfile: out("included.mjs"),
      plugins: [toolCompiler.esbuild({ ...options, include: path.join(path.dirname(one), "one.ts") })],
      logLevel: "silent"
    })
    assert.include(fs.readFileSync(one.replace(/\.ts$/u, ".tools.ts"), "utf8"), "export interface CountArguments")
    assert.deepStrictEqual(await namesOf(out("included.mjs")), ["count"])
  })
})
