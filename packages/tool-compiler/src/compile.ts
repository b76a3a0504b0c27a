/**
 * Compiles documented functions to tools with TypeScript's own checker: adr/0101-tools-at-compile-time.md. The output is
 * checked before anything is written.
 */
import { API, type Diagnostic, type Snapshot } from "typescript/unstable/sync"
import * as fs from "node:fs"
import * as path from "node:path"
import * as CompileError from "./CompileError.ts"
import { generate, outputOf } from "./generate.ts"
import { type CompiledTool, readTools } from "./readTools.ts"

export interface Compiled {
  /** The text of each output by its path; none if there is an error. */
  readonly outputs: ReadonlyMap<string, string>
  readonly tools: number
  readonly errors: ReadonlyArray<CompileError.CompileError>
}

/** Compiles the files with the options of the tsconfig.json `project`. Writes nothing. */
export const compile = (project: string, files: ReadonlyArray<string>): Compiled => {
  const virtual = new Map<string, string>()
  const api = new API({
    cwd: path.dirname(path.resolve(project)),
    fs: {
      readFile: (file) => virtual.get(file),
      fileExists: (file) => (virtual.has(file) ? true : undefined)
    }
  })
  try {
    return compiled(
      { api, virtual, project: path.resolve(project) },
      files.map((file) => path.resolve(file)).toSorted()
    )
  } finally {
    api.close()
  }
}

interface Compiler {
  readonly api: API
  /** Files that the checker sees and the disk does not have. */
  readonly virtual: Map<string, string>
  readonly project: string
}

const compiled = (compiler: Compiler, files: ReadonlyArray<string>): Compiled => {
  const { errors, outputs, tools } = read(open(compiler, "sources", files), compiler, files)
  const all = [...errors, ...duplicates(tools)]
  if (all.length > 0) return { outputs: new Map(), tools: 0, errors: all }
  for (const [file, text] of outputs) compiler.virtual.set(file, text)
  const faults = diagnosticsOf(open(compiler, "outputs", [...outputs.keys()]), compiler, [...outputs.keys()])
  return { outputs: faults.length > 0 ? new Map() : outputs, tools: tools.length, errors: faults }
}

/** Opens the files alone, with the project's options. */
const open = ({ api, project, virtual }: Compiler, name: string, files: ReadonlyArray<string>): Snapshot => {
  const config = path.join(path.dirname(project), `bough-tool-compiler.${name}.json`)
  const options = { noEmit: true, composite: false, incremental: false, allowImportingTsExtensions: true }
  virtual.set(
    config,
    JSON.stringify({ extends: project, compilerOptions: options, files, include: [], references: [] })
  )
  return api.updateSnapshot({ openProjects: [config] })
}

const read = (snapshot: Snapshot, compiler: Compiler, files: ReadonlyArray<string>) => {
  const errors: Array<CompileError.CompileError> = []
  const tools: Array<CompiledTool> = []
  const outputs = new Map<string, string>()
  errors.push(...diagnosticsOf(snapshot, compiler, files))
  for (const file of errors.length > 0 ? [] : files) {
    const project = projectOf(snapshot, "sources")
    const source = project.program.getSourceFile(file)
    if (source === undefined) {
      errors.push(CompileError.make({ file, text: "", offset: 0 }, "the file is not found", "check the path"))
      continue
    }
    const found = readTools(project.checker, source, file)
    errors.push(...found.errors)
    tools.push(...found.tools)
    if (found.errors.length === 0 && found.tools.length > 0) {
      outputs.set(outputOf(file), generate(file, source, found.tools))
    }
  }
  return { errors, tools, outputs }
}

const projectOf = (snapshot: Snapshot, name: string) => {
  const project = snapshot.getProjects().find((one) => one.configFileName.endsWith(`bough-tool-compiler.${name}.json`))
  if (project === undefined) throw new Error(`the compiler did not open the ${name}`)
  return project
}

/** The compiler's own errors in these files. */
const diagnosticsOf = (
  snapshot: Snapshot,
  { virtual }: Compiler,
  files: ReadonlyArray<string>
): ReadonlyArray<CompileError.CompileError> => {
  const name = files.some((file) => virtual.has(file)) ? "outputs" : "sources"
  const { program } = projectOf(snapshot, name)
  const textOf = (file: string): string =>
    virtual.get(file) ?? (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "")
  // File by file: imported sources are not this compilation's to check.
  return files
    .flatMap((file): ReadonlyArray<Diagnostic> => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file)
    ])
    .map(({ fileName = "", pos, text }) =>
      CompileError.make({ file: fileName, text: textOf(fileName), offset: pos }, text, "TypeScript refuses this")
    )
}

const duplicates = (tools: ReadonlyArray<CompiledTool>): ReadonlyArray<CompileError.CompileError> =>
  tools.flatMap((tool, index) => {
    const first = tools.findIndex(({ name }) => name === tool.name)
    return first === index
      ? []
      : [
          CompileError.make(
            tool.place,
            `two tools are named ${tool.name}`,
            `rename it: ${tools[first]?.place.file} has the other`
          )
        ]
  })
