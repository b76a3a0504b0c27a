#!/usr/bin/env node
/** `bough-tool-compiler [--project tsconfig.json] FILE...`: writes `FILE.tools.ts` beside each file, or nothing. */
import { parseArgs } from "node:util"
import { compile } from "./compile.ts"
import * as CompileError from "./CompileError.ts"
import { countOf } from "./countOf.ts"
import { watch } from "./watch.ts"
import { staleOutputs, writeOutputs } from "./writeOutputs.ts"

const usage = `usage: bough-tool-compiler [--project tsconfig.json] [--watch | --check] FILE...

  --project FILE  Take the options of this tsconfig.json (default: tsconfig.json)
  --watch         Compile again when a file changes, until SIGINT
  --check         Write nothing; exit 1 if an output is missing or out of date
  --help          Show this text`

const out = (line: string): void => void process.stdout.write(`${line}\n`)
const error = (line: string): void => void process.stderr.write(`${line}\n`)

const parse = (args: ReadonlyArray<string>) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      project: { type: "string", default: "tsconfig.json" },
      watch: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      help: { type: "boolean", default: false }
    }
  })

const parsed = (args: ReadonlyArray<string>): ReturnType<typeof parse> | null => {
  try {
    return parse(args)
  } catch (thrown) {
    error(thrown instanceof Error ? thrown.message : String(thrown))
    return null
  }
}

const run = (args: ReadonlyArray<string>): number => {
  const options = parsed(args)
  if (options?.values.help === true) {
    out(usage)
    return 0
  }
  if (options === null || options.positionals.length === 0 || (options.values.watch && options.values.check)) {
    error(usage)
    return 1
  }
  const { positionals: files, values } = options
  const { project } = values
  if (values.watch) {
    const { close } = watch({ project, files, out, error })
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, close)
    return 0
  }
  const { errors, outputs, tools } = compile(project, files)
  for (const one of errors) error(`${CompileError.format(one)}\n`)
  if (errors.length > 0) return 1
  if (values.check) {
    const stale = staleOutputs(outputs)
    for (const file of stale) error(`${file} is out of date: run bough-tool-compiler without --check`)
    if (stale.length === 0) out(`${countOf(tools, "tool")} in ${countOf(outputs.size, "file")}: up to date`)
    return stale.length === 0 ? 0 : 1
  }
  writeOutputs(outputs)
  out(`wrote ${countOf(tools, "tool")} to ${countOf(outputs.size, "file")}`)
  return 0
}

process.exitCode = run(process.argv.slice(2))
