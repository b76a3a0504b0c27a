/**
 * Compiled tools in a bundle: `import { pack } from "./deploy.ts?tools"`. For Vite, Rollup, Rolldown, esbuild, webpack and Rspack, by
 * unplugin: adr/0120-compiled-tools-in-bundles.md.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { createUnplugin, type UnpluginInstance } from "unplugin"
import * as CompileError from "./CompileError.ts"
import { isOutput } from "./generate.ts"
import { ToolCompiler } from "./ToolCompiler.ts"
import { writeOutputs } from "./writeOutputs.ts"

export interface ToolCompilerOptions {
  /** Default: tsconfig.json. */
  readonly project?: string
  /**
   * Sources of tools, as globs. Their outputs are written beside them before the build and on changes, for typed imports
   * such as `./deploy.tools.ts`. Default: none; then only `?tools` imports are compiled.
   */
  readonly include?: string | ReadonlyArray<string>
}

const query = "?tools"

/** The compiler process of one build. */
class Build {
  readonly #options: ToolCompilerOptions
  #compiler: ToolCompiler | null = null

  constructor(options: ToolCompilerOptions) {
    this.#options = options
  }

  /** The sources that are written to the disk. */
  included(): ReadonlyArray<string> {
    const { include = [] } = this.#options
    const patterns = typeof include === "string" ? [include] : [...include]
    return patterns.length === 0
      ? []
      : fs
          .globSync(patterns)
          .map((file) => path.resolve(file))
          .filter((file) => !isOutput(file))
  }

  /** Compiles the files; throws the errors of the sources, with code frames. */
  compile(files: ReadonlyArray<string>) {
    this.#compiler ??= new ToolCompiler(this.#options.project ?? "tsconfig.json")
    const { errors, modules, outputs } = this.#compiler.compile(files)
    const dependencies = this.#compiler.dependencies
    const texts = errors.map((error) => CompileError.format(error))
    if (texts.length > 0) throw new ToolErrors(texts.join("\n\n"), [...new Set([...files, ...dependencies])])
    return { modules, outputs, dependencies }
  }

  close(): void {
    this.#compiler?.close()
    this.#compiler = null
  }
}

/** The errors of a compilation, and the files in which they may be fixed. */
class ToolErrors extends Error {
  readonly dependencies: ReadonlyArray<string>

  constructor(message: string, dependencies: ReadonlyArray<string>) {
    super(message)
    this.dependencies = dependencies
  }
}

/** The plugin for every bundler: `toolCompiler.vite()`, `toolCompiler.esbuild()` and so on. */
export const toolCompiler: UnpluginInstance<ToolCompilerOptions | undefined, false> = createUnplugin((options = {}) => {
  const build = new Build(options)
  let written: ReadonlySet<string> = new Set()
  const write = (): void => {
    const files = build.included()
    if (files.length === 0) return
    written = new Set(files)
    const { dependencies, outputs } = build.compile(files)
    written = new Set([...files, ...dependencies])
    writeOutputs(outputs)
  }
  return {
    name: "bough-tool-compiler",
    // Runs before plugins that would treat the query as a part of the file name.
    enforce: "pre",
    buildStart() {
      write()
      // Under esbuild, which watches the files of the bundle itself and starts each build from scratch.
      if (this.getNativeBuildContext?.().framework === "esbuild") return
      for (const file of written) this.addWatchFile(file)
    },
    watchChange(file) {
      if (!written.has(path.resolve(file))) return
      try {
        write()
      } catch (thrown) {
        // The build continues with the last valid outputs.
        process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
      }
    },
    resolveId: {
      filter: { id: /\?tools$/u },
      handler(id, importer) {
        const folder = importer === undefined ? process.cwd() : path.dirname(importer.replace(/\?.*$/u, ""))
        return `${path.resolve(folder, id.slice(0, -query.length))}${query}`
      }
    },
    load: {
      filter: { id: /\?tools$/u },
      handler(id) {
        const file = id.slice(0, -query.length)
        try {
          const { dependencies, modules } = build.compile([file])
          for (const dependency of dependencies) this.addWatchFile(dependency)
          return modules.get(file) ?? null
        } catch (thrown) {
          if (thrown instanceof ToolErrors) for (const one of thrown.dependencies) this.addWatchFile(one)
          throw thrown
        }
      }
    },
    buildEnd() {
      build.close()
    }
  }
})
