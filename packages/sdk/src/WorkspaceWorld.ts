/** A world of the conformance kit whose workspace is a temporary folder, with the real capabilities of files and git. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { ToolContext } from "@bough/tool"
import type { TestWorld } from "@bough/tool/testing"
import { Workspace } from "@bough/workspace"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as DirectoryTemplates from "./DirectoryTemplates.ts"

export interface WorkspaceContent {
  /** The texts of the files, by path; a path that ends with `/` is an empty directory. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** The branches of a repository, all at one commit of the files; the first is checked out. Default: no repository. */
  readonly branches?: ReadonlyArray<string>
  /** The environment in which git and rg are found, usually `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The dates of the commit, so that the kit can compare the ends of two runs. */
const date = "2026-01-01T00:00:00Z"

/**
 * Makes the world, for `provide` of `packSpec`. `dispose` removes the folder. With `branches`, git must be installed.
 */
export const workspaceWorld = ({
  branches = [],
  environment = {},
  files = {}
}: WorkspaceContent = {}): Promise<TestWorld> => {
  const scope = Scope.makeUnsafe()
  const making = Effect.gen(function* () {
    const base = yield* Effect.acquireRelease(
      Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-world-")))),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    const [root, home] = [path.join(base, "root"), path.join(base, "home")]
    const variables = { HOME: home, PATH: environment["PATH"] ?? "" }
    for (const folder of [root, home]) fs.mkdirSync(folder)
    fs.writeFileSync(path.join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.invalid\n")
    for (const [name, content] of Object.entries(files)) write(root, name, content)
    if (branches.length > 0) {
      const key = DirectoryTemplates.keyOf(files, [variables.PATH, ...branches])
      DirectoryTemplates.fill(path.join(root, ".git"), key, () => commit(root, branches, variables))
    }
    const workspace = yield* Effect.provide(Workspace.make({ root, variables }), ProcessRunnerNode.layerWithoutWaiting)
    const empty = ToolContext.empty("Main")
    const context = Workspace.provideWrites(Workspace.provideReads(empty, workspace), workspace)
    const world: TestWorld = {
      root,
      provisions: [...context.capabilities.values()].flatMap((provided) =>
        provided.capability === undefined ? [] : [{ capability: provided.capability, provided }]
      ),
      dispose: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
    return world
  })
  return Effect.runPromise(
    making.pipe(
      Scope.provide(scope),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  )
}

/** Writes a file below `root`, with its directories. */
const write = (root: string, name: string, content: string | Uint8Array): void => {
  const segments = name.split("/")
  const file = segments.pop() ?? ""
  const directory = segments.reduce((parent, segment) => {
    const newPath = path.join(parent, segment)
    if (!fs.existsSync(newPath)) fs.mkdirSync(newPath)
    return newPath
  }, root)
  if (file !== "") fs.writeFileSync(path.join(directory, file), content)
}

const commit = (
  cwd: string,
  [first = "main", ...others]: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>>
): void => {
  const env = { ...variables, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_NOSYSTEM: "1" }
  const commands = [
    ["init", "-q", "--template=", "-b", first],
    ["add", "-A"],
    ["-c", "maintenance.auto=false", "commit", "-q", "--allow-empty", "-m", "first"],
    ...others.map((branch) => ["branch", branch])
  ]
  for (const args of commands) execFileSync("git", args, { cwd, env })
}
