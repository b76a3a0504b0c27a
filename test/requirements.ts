/**
 * What some tests need of the machine, and what happens where it is missing.
 *
 * A test that needs something asks here. Where it is missing the test is skipped and the reason is printed, unless
 * `BOUGH_TEST_REQUIRE` names it ("bubblewrap,tmux"): then the test runs and fails, so that a build machine that lost a
 * program does not stay green.
 */
import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"

const required = new Set((process.env["BOUGH_TEST_REQUIRE"] ?? "").split(/[\s,]+/).filter((name) => name !== ""))

/** True where the run says that `name` must be there: a test that needs it may not be skipped. */
export const isRequired = (name: string): boolean => required.has(name)

const runs = (command: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore", timeout: 10_000 }).status === 0

/** Whether users of this machine other than the owner may walk down to a file. */
const isReachable = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isReachable(dirname(path)))

const probes = {
  linux: () => process.platform === "linux",
  root: () => process.getuid?.() === 0,
  // Not only installed: user namespaces may be closed to it.
  bubblewrap: () => runs("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]),
  pidNamespaces: () => runs("unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", "true"]),
  // The checkout is not in somebody's private directory: a test as another user runs what is installed in it.
  reachable: () => isReachable(process.execPath),
  git: () => runs("git", ["--version"]),
  python: () => runs("/usr/bin/python3", ["--version"]),
  tmux: () => runs("tmux", ["-V"]),
  strace: () => runs("strace", ["-V"]),
  chromium: () => runs("chromium", ["--version"])
}

export interface Requirement {
  /** Pass to `it.skipIf`, `describe.skipIf`. */
  readonly skip: boolean
  /** Ends the name of a skipped group, where the run's report finds it. */
  readonly suffix: string
}

/**
 * Looks each thing up once.
 *
 * `const bubblewrap = requires("bubblewrap")`, then
 * `describe.skipIf(bubblewrap.skip)(`Sandbox${bubblewrap.suffix}`, …)`.
 */
export const requires = (...names: ReadonlyArray<keyof typeof probes>): Requirement => {
  const missing = names.filter((name) => !isRequired(name) && !probes[name]())
  return missing.length === 0
    ? { skip: false, suffix: "" }
    : { skip: true, suffix: ` [needs ${missing.join(" and ")}]` }
}
