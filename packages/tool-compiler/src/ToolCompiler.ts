/** The process of TypeScript's checker, which runs one compilation after another. */
import { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Node } from "typescript/unstable/ast"
import type { FileChanges } from "typescript/unstable/proto"
import { API, type Project, type Snapshot } from "typescript/unstable/sync"
import * as CompileError from "./CompileError.ts"
import { type GeneratedModule, generate, isOutput, outputOf, type ProjectStyle } from "./generate.ts"
import type { TypeReader } from "./readShape.ts"
import { type CompiledTool, readTools } from "./readTools.ts"
import { SourceReader } from "./SourceReader.ts"

export interface CompileResult {
  /** The text of each output by its path; empty if there is an error. */
  readonly outputs: ReadonlyMap<string, string>
  /** The modules as JavaScript, by the path of the source, for bundlers. */
  readonly modules: ReadonlyMap<string, string>
  readonly tools: number
  readonly errors: ReadonlyArray<CompileError.CompileError>
}

/** The tools of a file, before the output is checked. */
interface Module {
  readonly file: string
  readonly output: string
  readonly tools: ReadonlyArray<CompiledTool>
  readonly generated: GeneratedModule
}

interface CompileInput {
  readonly files: ReadonlyArray<string>
  /** The changes since the last compilation; null: there was none. */
  readonly changes: FileChanges | null
}

export class ToolCompiler {
  readonly project: string
  readonly #api: API
  /** Files that exist for the checker but not on the disk. */
  readonly #virtual = new Map<string, string>()
  /** Files outside of node_modules that the last compilation read. */
  #read: ReadonlyArray<string> = []
  /** The open project; null: none is open yet. */
  #config: string | null = null
  #opened = 0

  constructor(project: string) {
    this.project = path.resolve(project)
    this.#api = new API({
      cwd: path.dirname(this.project),
      fs: {
        readFile: (file) => this.#virtual.get(file),
        fileExists: (file) => (this.#virtual.has(file) ? true : undefined)
      }
    })
  }

  close(): void {
    const client: unknown = Reflect.get(this.#api, "client")
    const channel: unknown = typeof client === "object" && client !== null ? Reflect.get(client, "channel") : null
    // The process is killed before its input ends, because it would then print a line to stderr. No data is lost.
    if (isChannel(channel)) channel.child.kill("SIGKILL")
    try {
      this.#api.close()
    } catch {
      // The process has already ended.
      if (isChannel(channel)) channel.close()
    }
  }

  /** The files on which the result depends, except those of packages. */
  get dependencies(): ReadonlyArray<string> {
    return this.#read
  }

  /** Compiles the files. Files that changed since the last time are read again. */
  compile(entryFiles: ReadonlyArray<string>): CompileResult {
    const files = [...new Set(entryFiles.map((file) => path.resolve(file)))].toSorted()
    this.#virtual.clear()
    const wrong = files.flatMap(fileErrors)
    if (wrong.length > 0) return failed(wrong)
    const sources = this.#open("sources", { files, changes: this.#config === null ? null : { invalidateAll: true } })
    const { errors: early, modules } = this.#modules(sources, files)
    if (early.length > 0) {
      // An error of TypeScript, such as an unknown name, may cause the reader's own errors at the same position.
      const known = this.#diagnostics(sources, files)
      return failed(known.length > 0 ? known : early)
    }
    for (const { generated, output } of modules) this.#virtual.set(output, generated.text)
    const outputs = modules.map(({ output }) => output)
    const checked = this.#open("outputs", {
      files: [...outputs, ...files],
      changes: { created: outputs, changed: outputs }
    })
    const ownFaults = this.#diagnostics(checked, files)
    if (ownFaults.length > 0) return failed(ownFaults)
    const faults = this.#outputFaults(checked, modules)
    if (faults.length > 0) return failed(faults)
    return {
      errors: [],
      tools: modules.reduce((sum, { tools }) => sum + tools.length, 0),
      outputs: new Map(modules.map(({ generated, output }) => [output, generated.text])),
      modules: new Map(modules.map(({ file, generated }) => [file, generated.javascript]))
    }
  }

  /** Opens only these files, with the project's options. */
  #open(name: string, { changes, files }: CompileInput): Project {
    // Uses a new name each time, because the checker does not reread the file list of a known project.
    this.#opened += 1
    const config = path.join(path.dirname(this.project), `bough-tool-compiler.${name}-${this.#opened}.json`)
    this.#virtual.set(
      config,
      JSON.stringify({
        extends: this.project,
        compilerOptions: { noEmit: true, composite: false, incremental: false },
        files,
        include: [],
        references: []
      })
    )
    const snapshot: Snapshot = this.#api.updateSnapshot({
      openProjects: [config],
      ...(changes === null ? {} : { fileChanges: changes }),
      ...(this.#config === null ? {} : { closeProjects: [this.#config] })
    })
    this.#config = config
    const project = snapshot.getProject(config)
    if (project === undefined) throw new Error(`TypeScript did not open ${config}`)
    return project
  }

  #modules(project: Project, files: ReadonlyArray<string>) {
    const errors: Array<CompileError.CompileError> = [...this.#projectErrors(project)]
    const modules: Array<Module> = []
    if (errors.length > 0) return { errors, modules }
    const { checker, program } = project
    this.#read = program
      .getSourceFileNames()
      .filter((file) => !/[\\/]node_modules[\\/]/u.test(file) && !file.startsWith("bundled:") && !isOutput(file))
    const known: TypeReader["known"] = { Parameter: new Map(), Result: new Map() }
    const triviaOf = (node: Node): string | null => {
      const source = node.getSourceFile()
      return source === undefined ? null : source.text.slice(node.pos, node.getStart(source))
    }
    for (const file of files) {
      const source = program.getSourceFile(file)
      if (source === undefined) throw new Error(`TypeScript did not open ${file}`)
      const reader = new SourceReader({ checker, known, triviaOf }, source, file)
      const { errors: readErrors, tools } = readTools(reader)
      errors.push(...readErrors)
      if (readErrors.length > 0) continue
      if (tools.length === 0) {
        errors.push(
          CompileError.make(
            { file, text: source.text, offset: 0 },
            "the file exports no function",
            "export a documented async function, or leave the file out"
          )
        )
        continue
      }
      const output = outputOf(file) ?? file
      modules.push({ file, output, tools, generated: generate(file, source, { tools, style: styleOf(project) }) })
    }
    errors.push(...duplicates(modules.flatMap(({ tools }) => tools)))
    return { errors, modules }
  }

  #projectErrors({ compilerOptions: { strict, strictNullChecks }, program }: Project) {
    const file = this.project
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : ""
    if (text === "") {
      return [
        CompileError.make({ file, text, offset: 0 }, "the project is not found", "name a tsconfig.json by --project")
      ]
    }
    const faults = program.getConfigFileParsingDiagnostics().filter(({ fileName }) => fileName === file)
    if (faults.length > 0) {
      return faults.map((fault) =>
        CompileError.make({ file, text, offset: fault.pos }, fault.text, "TypeScript refuses this")
      )
    }
    return (strictNullChecks ?? strict ?? true)
      ? []
      : [
          CompileError.make(
            { file, text, offset: Math.max(0, text.search(/"strict/u)) },
            "strictNullChecks is off, so that types do not say what may be null",
            `write "strict": true`
          )
        ]
  }

  /** Returns the compiler's own errors in these files; imported sources are checked by their own compilation. */
  #diagnostics({ program }: Project, files: ReadonlyArray<string>): ReadonlyArray<CompileError.CompileError> {
    return files
      .flatMap((file) => {
        const syntactic = program.getSyntacticDiagnostics(file)
        return syntactic.length > 0 ? syntactic : program.getSemanticDiagnostics(file)
      })
      .map(({ fileName = "", pos, text }) =>
        CompileError.make(
          { file: fileName, text: fs.existsSync(fileName) ? fs.readFileSync(fileName, "utf8") : "", offset: pos },
          text,
          "TypeScript refuses this"
        )
      )
  }

  /** Maps errors in an output to the functions that caused them. */
  #outputFaults({ program }: Project, modules: ReadonlyArray<Module>): ReadonlyArray<CompileError.CompileError> {
    return modules.flatMap(({ generated, output, tools }) =>
      program.getSemanticDiagnostics(output).map(({ pos, text }) => {
        const index = Math.max(
          0,
          generated.offsets.findLastIndex((offset) => offset <= pos)
        )
        const tool = tools[index]
        if (tool === undefined) throw new Error(`${output}: ${text}`)
        const line = generated.text.slice(generated.text.lastIndexOf("\n", pos - 1) + 1).split("\n", 1)[0] ?? ""
        return CompileError.make(
          tool.location,
          `the tool ${tool.name} does not compile: ${text}`,
          `change the function so that this line compiles: ${line.trim()}`
        )
      })
    )
  }
}

interface Channel {
  readonly child: ChildProcess
  readonly close: () => void
}

const isChannel = (value: unknown): value is Channel =>
  typeof value === "object" &&
  value !== null &&
  "child" in value &&
  value.child instanceof ChildProcess &&
  "close" in value &&
  typeof value.close === "function"

const failed = (errors: ReadonlyArray<CompileError.CompileError>): CompileResult => ({
  errors,
  outputs: new Map(),
  modules: new Map(),
  tools: 0
})

const styleOf = ({ compilerOptions }: Project): ProjectStyle => ({
  importsTs:
    compilerOptions["allowImportingTsExtensions"] === true ||
    compilerOptions["rewriteRelativeImportExtensions"] === true,
  exactOptional: compilerOptions["exactOptionalPropertyTypes"] === true
})

const fileErrors = (file: string): ReadonlyArray<CompileError.CompileError> => {
  const at = { file, text: "", offset: 0 }
  if (isOutput(file)) return [CompileError.make(at, "the file is an output of this compiler", "leave it out")]
  if (outputOf(file) === null) {
    return [CompileError.make(at, "the file is not TypeScript source", "name .ts, .tsx, .mts or .cts files")]
  }
  return fs.existsSync(file) ? [] : [CompileError.make(at, "the file is not found", "check the path")]
}

const duplicates = (tools: ReadonlyArray<CompiledTool>): ReadonlyArray<CompileError.CompileError> => {
  const first = new Map<string, CompiledTool>()
  return tools.flatMap((tool) => {
    const other = first.get(tool.name)
    if (other === undefined) {
      first.set(tool.name, tool)
      return []
    }
    return [
      CompileError.make(
        tool.location,
        `two tools are named ${tool.name}`,
        `rename it: ${other.location.file}:${CompileError.make(other.location, "", "").line} has the other`
      )
    ]
  })
}
