/** Recompiles when a file changes that the last compilation read. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as CompileError from "./CompileError.ts"
import { countOf } from "./countOf.ts"
import { isOutput } from "./generate.ts"
import { type CompileResult, ToolCompiler } from "./ToolCompiler.ts"
import { writeOutputs } from "./writeOutputs.ts"

export interface WatchOptions {
  readonly project: string
  readonly files: ReadonlyArray<string>
  readonly out: (line: string) => void
  readonly error: (line: string) => void
}

export interface Watch {
  readonly close: () => void
}

/** The quiet time before a compilation, because editors save in several steps. */
const quietMillis = 50

/** Compiles at once and after each change. If there are errors, the last valid outputs stay. */
export const watch = (options: WatchOptions): Watch => {
  const watching = new Watcher(options)
  watching.run()
  return { close: () => watching.close() }
}

class Watcher {
  readonly #options: WatchOptions
  readonly #folders = new Map<string, fs.FSWatcher>()
  #compiler: ToolCompiler | null = null
  #files: ReadonlySet<string> = new Set()
  #timer: NodeJS.Timeout | null = null

  constructor(options: WatchOptions) {
    this.#options = options
  }

  run(): void {
    const { error, out, project } = this.#options
    // Watches start before the compilation, so that a change during it is noticed.
    this.#follow(this.#options.files)
    const compiled = this.#compile()
    if (compiled === null) return
    if (compiled.errors.length > 0) {
      for (const one of compiled.errors) error(`${CompileError.format(one)}\n`)
      error(`${countOf(compiled.errors.length, "error")}; the last good outputs stay`)
    } else {
      for (const file of writeOutputs(compiled.outputs)) out(`wrote ${path.relative(process.cwd(), file)}`)
      out(`${countOf(compiled.tools, "tool")} in ${countOf(compiled.outputs.size, "file")}: up to date`)
    }
    this.#follow([...this.#options.files, ...(this.#compiler?.dependencies ?? [])])
    out(`watching ${countOf(this.#files.size, "file")} of ${project}`)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
    this.#folders.clear()
    this.#compiler?.close()
    this.#compiler = null
  }

  /** Compiles; null: the checker has exited, and the next change starts a new one. */
  #compile(): CompileResult | null {
    try {
      this.#compiler ??= new ToolCompiler(this.#options.project)
      return this.#compiler.compile(this.#options.files)
    } catch (thrown) {
      this.#options.error(`the compilation failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      this.#compiler?.close()
      this.#compiler = null
      return null
    }
  }

  /** Watches folders instead of files, because a watch of a file ends when an editor replaces the file. */
  #follow(files: ReadonlyArray<string>): void {
    const absolute = [...files, this.#options.project].map((file) => path.resolve(file))
    this.#files = new Set([...this.#files, ...absolute.filter((file) => !isOutput(file))])
    for (const folder of new Set([...this.#files].map((file) => path.dirname(file)))) {
      if (this.#folders.has(folder) || !fs.existsSync(folder)) continue
      const watcher = fs.watch(folder, (_, name) => {
        if (name === null || this.#files.has(path.join(folder, name))) this.#schedule()
      })
      watcher.on("error", () => this.#folders.delete(folder))
      this.#folders.set(folder, watcher)
    }
  }

  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    // oxlint-disable-next-line no-restricted-globals -- the compiler runs without Effect
    this.#timer = setTimeout(() => this.run(), quietMillis)
  }
}
