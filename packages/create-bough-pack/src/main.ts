#!/usr/bin/env node
/** `npm create bough-pack NAME`. */
import { createPack } from "./createPack.ts"

const [folder, ...others] = process.argv.slice(2)

if (folder === undefined || folder.startsWith("-") || others.length > 0) {
  process.stderr.write("usage: npm create bough-pack NAME\n")
  process.exitCode = folder === "--help" ? 0 : 2
} else {
  try {
    const { name } = createPack(folder)
    process.stdout.write(`${name} is there. Next:\n  cd ${folder}\n  npm install\n  npm test\n  npm run bough\n`)
  } catch (error) {
    process.stderr.write(`create-bough-pack: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
