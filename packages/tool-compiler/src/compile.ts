/**
 * Compiles documented functions to tools with TypeScript's own checker: adr/0101-tools-at-compile-time.md. The output is
 * checked before anything is written.
 */
import { type CompileResult, ToolCompiler } from "./ToolCompiler.ts"

/** Compiles the files with the options of the tsconfig.json `project`. Writes nothing. */
export const compile = (project: string, files: ReadonlyArray<string>): CompileResult => {
  checkArguments(project, files)
  const compiler = new ToolCompiler(project)
  try {
    return compiler.compile(files)
  } finally {
    compiler.close()
  }
}

/** A program without types may pass any value. */
const checkArguments = (project: unknown, files: unknown): void => {
  const isPaths = Array.isArray(files) && files.every((file) => typeof file === "string")
  if (typeof project === "string" && isPaths) return
  const needed =
    typeof project === "string"
      ? "argument 2 must be a list of paths"
      : "argument 1 must be the path of a tsconfig.json"
  throw new TypeError(`compile: ${needed}, as in compile("tsconfig.json", ["src/tools.ts"])`)
}
