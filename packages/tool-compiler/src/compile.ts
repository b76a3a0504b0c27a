/**
 * Compiles documented functions to tools with TypeScript's own checker: adr/0101-tools-at-compile-time.md. The output is
 * checked before anything is written.
 */
import { type Compiled, ToolCompiler } from "./ToolCompiler.ts"

/** Compiles the files with the options of the tsconfig.json `project`. Writes nothing. */
export const compile = (project: string, files: ReadonlyArray<string>): Compiled => {
  const compiler = new ToolCompiler(project)
  try {
    return compiler.compile(files)
  } finally {
    compiler.close()
  }
}
