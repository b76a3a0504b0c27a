/**
 * Checks that the paths of an index are in the worktree, because git writes files to those paths without a further
 * check.
 */
import { SensitivePath } from "@bough/tool"
import * as Effect from "effect/Effect"
import { kill, start, type User } from "./ChildProcess.ts"
import * as Disk from "./Disk.ts"
import { attend } from "./Supervise.ts"

const programs = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git", "/run/current-system/sw/bin/git"]
const maxBytes = 512 * 1024 ** 2
const maxMillis = 30_000

/**
 * The environment of git, which reads the index itself, since it knows the versions of the format. It runs no program
 * that a repository configures.
 */
const environment = {
  PATH: "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "safe.directory",
  GIT_CONFIG_VALUE_1: "*"
}

const isUnsafePath = (path: string): boolean =>
  path.startsWith("/") ||
  path.split("/").some((name) => name === "" || name === "." || name === ".." || SensitivePath.fold(name) === ".git")

/**
 * Returns the fault of an index; null: every path is in the worktree. Without a git on this machine, no program reads
 * the index, and null is returned.
 */
export const fault = Effect.fnUntraced(function* (
  directory: string,
  user: User | null
): Effect.fn.Return<string | null> {
  const [program = null] = yield* Effect.filter(programs, Disk.isExecutable)
  if (program === null) return null
  const args = [`--git-dir=${directory}`, "--work-tree=/", "ls-files", "-z"]
  const ran = yield* Effect.result(
    attend(start({ program, args, cwd: "/", env: environment, ...(user === null ? {} : { user }) }), {
      maxOutputBytes: maxBytes,
      kill: ({ pid }) => kill(-pid),
      timeoutMillis: maxMillis
    })
  )
  if (ran._tag === "Failure" || ran.success.exitCode !== 0) return "git cannot read it"
  if (ran.success.omittedBytes > 0) return "it is too long to be looked through"
  const path = ran.success.stdout.split("\0").find((path) => path !== "" && isUnsafePath(path))
  return path === undefined ? null : `it names ${JSON.stringify(path)}`
})
