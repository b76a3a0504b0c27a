/** Runs two of `ownTree` beside each other, the second once the first owns the tree. Arguments: those of `ownTree`. */
import { spawn } from "node:child_process"
import { writeSync } from "node:fs"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("ownTree.ts", import.meta.url))

const start = (onText: () => void): void => {
  const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdout.on("data", (text) => {
    writeSync(1, String(text))
    onText()
  })
}

start(() => start(() => {}))
