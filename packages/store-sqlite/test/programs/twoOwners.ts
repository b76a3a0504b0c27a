/**
 * Runs a program twice in parallel; the second starts once the first owns the tree. Arguments: the program
 * and its arguments.
 */
import { spawn } from "node:child_process"
import { writeSync } from "node:fs"

const program = process.argv.slice(2)

const start = (onText: () => void): void => {
  const child = spawn(process.execPath, program, { stdio: ["pipe", "pipe", "inherit"] })
  child.stdout.on("data", (text) => {
    writeSync(1, String(text))
    onText()
  })
}

start(() => start(() => {}))
