#!/usr/bin/env node
/** `bough-tool-compiler [--project tsconfig.json] FILE...`: writes `FILE.tools.ts` beside each file, or nothing. */
import * as fs from "node:fs"
import { parseArgs } from "node:util"
import * as CompileError from "./CompileError.ts"
import { compile } from "./compile.ts"

const usage = "usage: bough-tool-compiler [--project tsconfig.json] FILE..."

const run = (args: ReadonlyArray<string>): number => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { project: { type: "string", default: "tsconfig.json" } }
  })
  if (positionals.length === 0) {
    process.stderr.write(`${usage}\n`)
    return 1
  }
  const { errors, outputs, tools } = compile(values.project, positionals)
  for (const error of errors) process.stderr.write(`${CompileError.format(error)}\n\n`)
  if (errors.length > 0) return 1
  for (const [file, text] of outputs) {
    if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) fs.writeFileSync(file, text)
  }
  process.stdout.write(`wrote ${tools} tools to ${outputs.size} files\n`)
  return 0
}

process.exitCode = run(process.argv.slice(2))
