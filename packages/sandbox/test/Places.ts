/** Temporary workspaces, sandboxes over them, and checks of the machine from outside. */
import type { Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import { randomInt } from "node:crypto"
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { Sandbox, type Settings } from "../src/index.ts"

export const linux = requires("linux")
export const bubblewrap = requires("linux", "bubblewrap")
export const asRoot = requires("linux", "bubblewrap", "root", "reachable")

/**
 * The operator's environment in tests: a secret that commands must not see, and variables that inject code into
 * programs.
 */
export const environment = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  API_KEY: "canary-5e1f",
  LD_PRELOAD: "/nonexistent/evil.so",
  NODE_OPTIONS: "--require=/nonexistent/evil.js",
  BASH_ENV: "/nonexistent/evil.sh",
  GIT_SSH_COMMAND: "evil"
}

/** Makes `node` available inside, wherever it is installed. */
export const nodeDirectory = dirname(process.execPath)

export interface Place {
  /** Contains the workspace and the files beside it. */
  readonly directory: string
  readonly workspace: string
}

/** A directory with an empty workspace in it, removed afterwards. `owner`: its owner, if root can set it. */
export const place = (owner?: number) =>
  Effect.acquireRelease(
    Effect.sync((): Place => {
      const directory = realpathSync(mkdtempSync(join(tmpdir(), "bough-test-")))
      const workspace = join(directory, "workspace")
      mkdirSync(workspace)
      if (owner !== undefined) for (const path of [directory, workspace]) chownSync(path, owner, owner)
      return { directory, workspace }
    }),
    ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )

export type Run = Execution.Execution["Service"]["run"]

/** `run` of one session of a sandbox. */
export const runIn = (sandbox: Sandbox.Sandbox, workspace: string, writable = true): Run =>
  sandbox.provided({ root: workspace, writable }).make({} as never, () => {}).run

const made = new Map<string, Sandbox.Sandbox>()

/** A sandbox with these settings; its self-test is cached in a file. */
const sandboxWith = (settings: Partial<Settings.Settings>): Effect.Effect<Sandbox.Sandbox> => {
  const key = JSON.stringify(settings)
  const known = made.get(key)
  return known === undefined
    ? Effect.tap(Sandbox.make(settings, environment), (sandbox) => Effect.sync(() => made.set(key, sandbox)))
    : Effect.succeed(known)
}

/** A session in a fresh workspace. */
export const fresh = Effect.fnUntraced(function* (settings: Partial<Settings.Settings> = {}, owner?: number) {
  const where = yield* place(owner)
  const sandbox = yield* sandboxWith({ readOnlyPaths: [nodeDirectory], ...settings })
  return { ...where, sandbox, run: runIn(sandbox, where.workspace) }
})

/** A number of seconds that no other process sleeps for: it finds a process from outside. */
export const sleeper = (): string => `${randomInt(1_000_000_000, 2_000_000_000)}`

/** The shells that this process has prepared for helpers, by their process ids. */
export const preparedShells = (): ReadonlyArray<string> =>
  readdirSync("/proc/self/task")
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, "utf8").trim().split(" "))
    .filter((id) => id !== "" && /\/bin\/sh[ \0]-s\0$/.test(readFileSync(`/proc/${id}/cmdline`, "utf8")))

/** How many processes of this machine have `word` among their arguments. */
export const processesWith = (word: string): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name) && argumentsOf(name).includes(word)).length

const argumentsOf = (pid: string): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
  } catch {
    return []
  }
}

/** Waits for a condition outside, two minutes at most. */
export const eventually = (isTrue: () => boolean): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    for (let attempts = 0; attempts < 6000; attempts++) {
      if (isTrue()) return true
      yield* Effect.sleep(20)
    }
    return isTrue()
  })
