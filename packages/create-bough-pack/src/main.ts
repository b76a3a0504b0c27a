#!/usr/bin/env node
/** `npm create bough-pack NAME`. */
import { readFileSync } from "node:fs"
import { createPack } from "./createPack.ts"

const [folder, ...others] = process.argv.slice(2)

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}
/** The packages of an unreleased version are not on npm: they are packed from a clone, as the README shows. */
const install = version === "0.0.0" ? "npm install --no-save ~/bough-packages/*.tgz" : "npm install"

if (folder === undefined || folder.startsWith("-") || others.length > 0) {
  process.stderr.write("usage: npm create bough-pack NAME\n")
  process.exitCode = folder === "--help" ? 0 : 2
} else {
  try {
    const { name } = createPack(folder)
    process.stdout.write(`created the pack ${name}. Next:\n  cd ${folder}\n  ${install}\n  npm test\n  npm run bough\n`)
  } catch (error) {
    process.stderr.write(`create-bough-pack: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
