/** The repository of a task: created, solved, and checked by a program that the agent does not see. */
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Task } from "./Task.ts"

const checkName = ".hidden-check.mjs"

const write = (folder: string, files: Task["files"]): void => {
  for (const [path, text] of Object.entries(files)) {
    if (text === "") {
      rmSync(join(folder, path), { force: true })
      continue
    }
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Creates the repository with one commit. */
export const make = (folder: string, { files, name }: Task): void => {
  mkdirSync(folder, { recursive: true })
  write(folder, { "package.json": `${JSON.stringify({ name, private: true, type: "module" })}\n`, ...files })
  const git = (...argv: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.test", ...argv], { cwd: folder })
  git("init", "-q")
  git("add", "-A")
  git("commit", "-qm", "first")
}

export const solve = (folder: string, { solution }: Task): void => write(folder, solution)

const patienceMillis = 30_000

/** Returns null if the task is done, else the reason why not. */
export const check = (folder: string, task: Task): Promise<string | null> => {
  const path = join(folder, checkName)
  writeFileSync(path, task.check)
  return new Promise((resolve) => {
    execFile(process.execPath, [path], { cwd: folder, timeout: patienceMillis }, (error, _, stderr) => {
      rmSync(path, { force: true })
      resolve(error === null ? null : stderr === "" ? error.message : stderr)
    })
  })
}
