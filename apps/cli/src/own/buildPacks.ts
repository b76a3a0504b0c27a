/** Builds a program from a file of packs: checks and bundles it, derives its schemas, and lists its packs. */
import { registryOf } from "@bough/host/session/KindTools"
import { SessionState, UseTools } from "@bough/runtime"
import { ToolSchema } from "@bough/tool"
import type * as Esbuild from "esbuild"
import { chmodSync, globSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { failure } from "../CliFailure.ts"
import type { MainOptions } from "../MainOptions.ts"
import { version } from "../Version.ts"
import { checkTypes } from "./checkTypes.ts"
import type { OwnPacks } from "./definePacks.ts"
import { findPackages, linkPackages } from "./installedPackages.ts"
import { loadPacks } from "./loadPacks.ts"
import { makeFolder } from "./makeFolder.ts"
import { packVersions } from "./packVersions.ts"
import { unbundled } from "./unbundled.ts"

export interface BuildOptions {
  /** Null: `dist/NAME` beside the file. */
  readonly out: string | null
  /** Packages that stay out of the bundle, in addition to those that cannot be bundled. */
  readonly external: ReadonlyArray<string>
  /** Receives the compiler's output, line by line. */
  readonly print: (text: string) => void
}

export interface BuiltProgram {
  /** The path of the program. */
  readonly program: string
  readonly tools: number
  readonly packs: ReadonlyArray<string>
}

/** Threads load files of these packages by themselves. */
const alsoFiles = ["@bough/memory", "@bough/pack-code", "@bough/pack-web"]

/** Rejects with a `CliFailure`; nothing is written then. */
export const buildPacks = async (file: string, { external, out, print }: BuildOptions): Promise<BuiltProgram> => {
  const esbuild = await bundler(file)
  checkTypes(file, print)
  const packsModule = await loadPacks(file)
  const name = packsModule.options.name ?? "bough"
  if (!/^[\w.-]+$/u.test(name))
    throw failure(`${JSON.stringify(name)} is not a name for a program`, "use letters, digits and -")
  const packs = packVersions(file)
  const folder = out ?? join(dirname(file), "dist", name)
  const externals = [...unbundled, ...external]
  await bundle(esbuild, folder, { name, externals, modules: modulesOf(file, packsModule, packs) })
  const needed = findPackages([...externals, ...alsoFiles], [file, fileURLToPath(import.meta.url)])
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify(manifestOf(name, packsModule.options, needed), null, 2)}\n`
  )
  linkPackages(folder, needed)
  return { program: join(folder, `${name}.js`), tools: registryOf(packsModule.packs).size, packs }
}

const bundler = async (file: string): Promise<typeof Esbuild> => {
  try {
    const loaded = (await import(pathToFileURL(createRequire(file).resolve("esbuild")).href)) as typeof Esbuild & {
      readonly default?: typeof Esbuild
    }
    return loaded.default ?? loaded
  } catch (cause) {
    throw failure("esbuild is not installed beside the packs", 'run "npm install --save-dev esbuild"', cause)
  }
}

/** The two entry modules of a build, as text. */
const modulesOf = (file: string, { options, packs }: OwnPacks, listed: ReadonlyArray<string>) => {
  const schemas = Object.fromEntries([
    ...[...registryOf(packs)].map(([name, tool]) => [name, ToolSchema.forModel(tool)] as const),
    [SessionState.useToolsName, ToolSchema.forModel(UseTools)]
  ])
  const built: MainOptions = { packVersions: listed }
  const ofOurs = (path: string): string => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js"
  return {
    program: `
      import own from ${JSON.stringify(file)}
      import { runBuilt } from ${ofOurs(`./run.${extension}`)}
      const schemas = JSON.parse(${JSON.stringify(JSON.stringify(schemas))})
      runBuilt(own, { ...${JSON.stringify(built)}, schemas })`,
    entry: `
      import { begin } from ${ofOurs(`../bin/prelude.${extension}`)}
      if (begin(${JSON.stringify(options.name ?? "bough")})) await import("./bough-program.js")`
  }
}

interface BundleOptions {
  readonly name: string
  readonly externals: ReadonlyArray<string>
  readonly modules: ReturnType<typeof modulesOf>
}

const bundle = async (esbuild: typeof Esbuild, folder: string, { externals, modules, name }: BundleOptions) => {
  const options = {
    outdir: folder,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node22",
    mainFields: ["module", "main"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "silent",
    supported: { "regexp-unicode-property-escapes": true },
    external: [...externals],
    plugins: [versionAsText]
  } as const satisfies Esbuild.BuildOptions
  const module = (contents: string) => ({ contents, resolveDir: dirname(fileURLToPath(import.meta.url)) })
  const built = await Promise.all([
    esbuild.build({
      ...options,
      stdin: module(modules.program),
      splitting: true,
      entryNames: "bough-program",
      chunkNames: "bough-[hash]",
      banner: { js: requireOfNode }
    }),
    esbuild.build({
      ...options,
      stdin: module(modules.entry),
      entryNames: name,
      external: [...externals, "./bough-program.js"],
      banner: { js: "#!/usr/bin/env node" }
    })
  ]).catch((cause: unknown) => {
    throw failure(`the packs were not bundled: ${cause instanceof Error ? cause.message : String(cause)}`, "", cause)
  })
  makeFolder(folder)
  const written = built.flatMap(({ outputFiles }) => outputFiles)
  for (const { contents, path } of written) writeFileSync(path, contents)
  // The old files are removed last, because a running program may still load them.
  const writtenNames = new Set(written.map(({ path }) => basename(path)))
  for (const old of globSync("bough-*.js", { cwd: folder })) if (!writtenNames.has(old)) rmSync(join(folder, old))
  chmodSync(join(folder, `${name}.js`), 0o755)
}

/** Older packages load Node's modules with `require`. */
const requireOfNode = `import { createRequire as $createRequire } from "node:module"; const require = $createRequire(import.meta.url);`

/** The version is read from a file beside the sources, which a bundle does not have. */
const versionAsText: Esbuild.Plugin = {
  name: "version-as-text",
  setup: (bundled) => {
    bundled.onLoad({ filter: /[/\\]cli[/\\](?:src|dist)[/\\]Version\.[jt]s$/ }, () => ({
      loader: "js",
      contents: `export const version = ${JSON.stringify(version)}`
    }))
  }
}

const manifestOf = (name: string, options: MainOptions, needed: ReturnType<typeof findPackages>) => ({
  name,
  version: options.version ?? version,
  type: "module",
  bin: { [name]: `./${name}.js` },
  dependencies: Object.fromEntries(needed.map((found) => [found.name, found.version]))
})
