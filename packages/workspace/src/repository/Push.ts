/**
 * Sends a commit to another repository. git runs in a separate directory that borrows the objects. It reads no
 * configuration of the repository, but all of the user's, so that the user's credentials work as in a terminal.
 */
import type { ToolError } from "@bough/protocol"
import type { ProcessRunner, RepositoryPush } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import { quote } from "../Refusal.ts"
import * as History from "./History.ts"
import type { UserVariables } from "./Identity.ts"
import { failed, type Git, invalid } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"

interface PushContext {
  readonly git: Git
  readonly runner: ProcessRunner.ProcessRunner["Service"]
  readonly variables: UserVariables
}

export const push = Effect.fnUntraced(function* (
  { git, runner, variables }: PushContext,
  { branch, commit, remote, replaces }: RepositoryPush.PushOptions
): Effect.fn.Return<RepositoryPush.PushResult, ToolError.ToolError, Scope.Scope> {
  yield* Revisions.checkBranchName(git, branch, "branch")
  const id = yield* Revisions.resolve(git, commit)
  const name = yield* History.remoteOf(git, branch, remote)
  const url = yield* History.urlOf(git, name)
  const address = yield* addressOf(git, url)
  const directory = yield* borrowObjects(git)
  const expected = replaces === null ? [] : [`--force-with-lease=refs/heads/${branch}:${replaces}`]
  const { exitCode, stderr, stdout } = yield* runner
    .run({
      program: "git",
      args: [
        "--no-pager",
        "push",
        "--porcelain",
        "--no-verify",
        "--no-follow-tags",
        "--no-signed",
        "--recurse-submodules=no",
        `--receive-pack=${receivePack}`,
        ...expected,
        "--",
        address,
        `${id}:refs/heads/${branch}`
      ],
      cwd: directory,
      env: {
        ...userVariables(variables),
        GIT_DIR: directory,
        GIT_ALLOW_PROTOCOL: "file:https:ssh",
        GIT_TERMINAL_PROMPT: "0",
        LC_ALL: "C"
      },
      maxOutputBytes: 1024 ** 2
    })
    .pipe(Effect.catch(({ message }) => Effect.fail(failed(`git cannot be started: ${message}`, "install git"))))
  const answer = messageIn(stderr)
  if (exitCode !== 0) {
    // The report contains the reason why a branch was not moved.
    const rejected = /^!\t\S+\t(.*)$/mu.exec(Buffer.from(stdout).toString("utf8"))?.[1] ?? ""
    const reason = [rejected, answer].filter((part) => part !== "").join("; ")
    return yield* failed(`git: the push to ${url} failed: ${reason}`, hintOf(reason))
  }
  yield* git.run(["update-ref", "-m", "push", `refs/remotes/${name}/${branch}`, id])
  yield* setUpstreamIfMissing(git, branch, name)
  return { url, answer }
}, Effect.scoped)

/** Returns the user's variables without those that refer to the repository in which the program was started. */
const userVariables = (variables: UserVariables): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined || (name.startsWith("GIT_") && !accessVariable.test(name)) ? [] : [[name, value]]
    )
  )

const accessVariable =
  /^GIT_(?:SSH|SSH_COMMAND|ASKPASS|PROXY_COMMAND|HTTP_\w+|SSL_\w+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/u

/**
 * The command of the receiving side, without hooks, because anyone who can write to a repository on this machine may
 * have added hooks.
 */
const receivePack = [
  "git",
  ...[
    "core.hooksPath=/dev/null",
    "core.alternateRefsCommand=true",
    "core.fsmonitor=false",
    "receive.denyCurrentBranch=refuse",
    "receive.autogc=false",
    "gc.auto=0"
  ].flatMap((setting) => ["-c", setting]),
  "receive-pack"
].join(" ")

/** Matches an address that names a transport program, such as `ext::sh -c …`. The colons of an IPv6 address follow a bracket. */
const transport = /^[^/[]*::/u

const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//u

/** Makes an address that does not depend on the current directory. Paths are relative to the worktree. */
const addressOf = (git: Git, url: string): Effect.Effect<string, ToolError.ToolError> => {
  const named = scheme.exec(url)?.[1].toLowerCase()
  const isRefused = url.startsWith("-") || transport.test(url) || (named !== undefined && !supportedSchemes.has(named))
  if (isRefused) return Effect.fail(invalid("remote", `${quote(url)} is not an ssh or https address, or a path`))
  // In scp syntax, a colon precedes the first slash.
  const isPath = named === undefined && !/^[^/]+:/u.test(url)
  return Effect.succeed(isPath && !isAbsolute(url) ? resolve(git.root.path, url) : url)
}

const supportedSchemes: ReadonlySet<string> = new Set(["file", "https", "ssh", "git+ssh", "ssh+git"])

/** Makes a bare repository without a configuration, until the scope ends. */
const borrowObjects = Effect.fnUntraced(function* (
  git: Git
): Effect.fn.Return<string, ToolError.ToolError, Scope.Scope> {
  const common = (yield* git.run(["rev-parse", "--path-format=absolute", "--git-common-dir"])).text.trim()
  const objects = (yield* git.run(["rev-parse", "--path-format=absolute", "--git-path", "objects"])).text.trim()
  const format = (yield* git.run(["rev-parse", "--show-object-format"])).text.trim()
  return yield* Effect.acquireRelease(
    Effect.sync(() => {
      const directory = fs.mkdtempSync(join(tmpdir(), "bough-push-"))
      for (const name of ["objects", "objects/info", "refs"]) fs.mkdirSync(join(directory, name))
      fs.writeFileSync(join(directory, "HEAD"), "ref: refs/heads/none\n")
      fs.writeFileSync(join(directory, "objects/info/alternates"), `${objects}\n`)
      const isOther = format !== "sha1"
      const extension = isOther ? `[extensions]\n\tobjectformat = ${format}\n` : ""
      fs.writeFileSync(
        join(directory, "config"),
        `[core]\n\trepositoryformatversion = ${isOther ? 1 : 0}\n\tbare = true\n${extension}`
      )
      const shallow = join(common, "shallow")
      if (fs.existsSync(shallow)) fs.copyFileSync(shallow, join(directory, "shallow"))
      return directory
    }),
    (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
  )
})

/** Makes the branch follow the pushed branch, unless it already follows a branch. */
const setUpstreamIfMissing = Effect.fnUntraced(function* (
  git: Git,
  branch: string,
  remote: string
): Effect.fn.Return<void, ToolError.ToolError> {
  const { text } = yield* git.run(["for-each-ref", "--format=%(upstream)", `refs/heads/${branch}`])
  if (text.trim() !== "") return
  yield* git.run(["config", `branch.${branch}.remote`, remote])
  yield* git.run(["config", `branch.${branch}.merge`, `refs/heads/${branch}`])
})

/** Extracts the messages of the remote and of git, without labels and advice. */
const messageIn = (stderr: string): string =>
  stderr
    .split("\n")
    .map((line) => line.replace(/^(?:fatal|error|remote): ?/u, "").trim())
    .filter((line) => line !== "" && !line.startsWith("hint:") && !line.startsWith("failed to push some refs"))
    .join("\n")

const hintOf = (answer: string): string | undefined =>
  /non-fast-forward|fetch first|stale info/u.test(answer)
    ? "the other side has commits that are not here: fetch and merge or rebase with a command first"
    : /Permission denied|Authentication failed|could not read (?:Username|Password)/u.test(answer)
      ? "git has no access there as it is started here: try `git push` in a terminal once"
      : undefined
