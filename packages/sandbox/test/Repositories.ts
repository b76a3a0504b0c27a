/** Repositories in test workspaces, and a user's git. */
import { spawnSync } from "node:child_process"
import { chownSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const git = (directory: string, ...args: ReadonlyArray<string>) =>
  spawnSync(
    "git",
    ["-C", directory, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args],
    { encoding: "utf8", env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_EDITOR: "true" } }
  )

export const repository = (directory: string, owner?: number): void => {
  mkdirSync(directory, { recursive: true })
  if (owner !== undefined) chownSync(directory, 0, 0)
  git(directory, "init", "-q", "-b", "main")
  git(directory, "config", "user.name", "a")
  git(directory, "config", "user.email", "a@b")
  writeFileSync(join(directory, "file"), "one\n")
  git(directory, "add", "-A")
  git(directory, "commit", "-qm", "first")
  if (owner !== undefined) spawnSync("chown", ["-R", `${owner}`, directory])
}
