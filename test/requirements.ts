/**
 * The requirements of some tests, and their effect if one is missing. A test with a requirement asks here. If it is
 * missing the test is skipped and the reason is printed, unless `BOUGH_TEST_REQUIRE` names it ("bubblewrap,tmux"): then
 * the test runs and fails, so that a build machine that lost a program does not stay green.
 */
import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"

const required = new Set((process.env["BOUGH_TEST_REQUIRE"] ?? "").split(/[\s,]+/).filter((name) => name !== ""))

/** True if the run says that `name` must be available: a test that needs it may not be skipped. */
export const isRequired = (name: string): boolean => required.has(name)

const runs = (command: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore", timeout: 120_000 }).status === 0

/** True if accounts other than the owner may read a file's directory. */
const isReachable = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isReachable(dirname(path)))

const probes = {
  linux: () => process.platform === "linux",
  root: () => process.getuid?.() === 0,
  // Not only installed: it may be denied user namespaces.
  bubblewrap: () => runs("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]),
  pidNamespaces: () => runs("unshare", ["--pid", "--fork", "--kill-child", "--mount-proc", "true"]),
  timeNamespaces: () => runs("unshare", ["--time", "--fork", "--kill-child", "--monotonic", "100", "true"]),
  // The checkout is not in a private directory: a test as another account runs programs that are installed in it.
  reachable: () => isReachable(process.execPath),
  git: () => runs("git", ["--version"]),
  gh: () => runs("gh", ["--version"]),
  openssl: () => runs("openssl", ["version"]),
  python: () => runs("/usr/bin/python3", ["--version"]),
  tmux: () => runs("tmux", ["-V"]),
  strace: () => runs("strace", ["-V"]),
  chromium: () => runs("chromium", ["--version"])
}

/** The results of the probes in this process: its other test files need the same programs. */
const found = new Map<keyof typeof probes, boolean>()

const has = (name: keyof typeof probes): boolean => {
  const known = found.get(name)
  if (known !== undefined) return known
  const answer = probes[name]()
  found.set(name, answer)
  return answer
}

export interface Requirement {
  /** Pass to `it.skipIf`, `describe.skipIf`. */
  readonly skip: boolean
  /** A suffix for the name of a skipped group, which the run's report reads. */
  readonly suffix: string
}

/**
 * Looks each requirement up once per process. `const bubblewrap = requires("bubblewrap")`, then
 * `describe.skipIf(bubblewrap.skip)(`Sandbox${bubblewrap.suffix}`, …)`.
 */
export const requires = (...names: ReadonlyArray<keyof typeof probes>): Requirement => {
  const missing = names.filter((name) => !isRequired(name) && !has(name))
  return missing.length === 0
    ? { skip: false, suffix: "" }
    : { skip: true, suffix: ` [needs ${missing.join(" and ")}]` }
}
