/** The git tools over a real repository, one call at a time, as a dispatcher would make them. */
import type { ToolError } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import { Capability, type Grant, Invocation, ProcessRunner, Progress, type Tool, type ToolContext } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { Workspace } from "@bough/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as DirectoryTemplates from "../../sdk/src/DirectoryTemplates.ts"

export type Files = Readonly<Record<string, string | Uint8Array>>

export const put = (root: string, files: Files): void => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
}

/** Runs git as the user, who trusts the repository. Fails the test if git fails. */
export const git = (cwd: string, ...args: ReadonlyArray<string>): string => {
  const { status, stderr, stdout } = spawnSync("git", args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...person }
  })
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`)
  return stdout
}

const person = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.invalid",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.invalid",
  GIT_CONFIG_GLOBAL: "/dev/null",
  // Housekeeping would start a program after each commit.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false"
}

type Variables = Readonly<Record<string, string>>

export interface Setting {
  /** Committed at first; null: there is no repository. */
  readonly files?: Files | null
  readonly withheld?: ReadonlyArray<ToolContext.WithheldPath>
  /** The user's variables; default: a home directory below `base`, and the search path of the test. */
  readonly variables?: Variables | ((base: string) => Variables)
  /** The directory of relative paths, below the root. */
  readonly start?: string
  /** Called with the arguments of each git, before it starts. */
  readonly onGit?: (args: ReadonlyArray<string>) => void
}

export const open = Effect.fnUntraced(function* ({
  files = { "a.txt": "one\ntwo\nthree\n" },
  onGit = () => {},
  start = "",
  variables,
  withheld = []
}: Setting = {}) {
  const base = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-git-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const root = path.join(base, "root")
  const home = path.join(base, "home")
  for (const folder of [root, home]) fs.mkdirSync(folder)
  fs.writeFileSync(path.join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.invalid\n")
  if (files !== null) {
    put(root, files)
    DirectoryTemplates.fill(path.join(root, ".git"), DirectoryTemplates.keyOf(files, ["pack-git"]), () => {
      git(root, "init", "-q", "-b", "main")
      git(root, "add", "-A", "--force")
      git(root, "commit", "-q", "--allow-empty", "-m", "first")
    })
  }
  const workspace = yield* Workspace.make({
    root: path.join(root, start),
    repository: root,
    variables: (typeof variables === "function" ? variables(base) : variables) ?? {
      HOME: home,
      PATH: process.env["PATH"] ?? ""
    }
  }).pipe(
    Effect.updateService(ProcessRunner.ProcessRunner, (runner) => ({
      ...runner,
      run: (request: ProcessRunner.HelperCommand) => Effect.suspend(() => (onGit(request.args), runner.run(request)))
    })),
    Effect.provide(ProcessRunnerNode.layer)
  )
  const scope = yield* Effect.scope
  const bounds = withheld.length === 0 ? undefined : { places: withheld, report: () => {} }
  const context = (grants: ReadonlyArray<Grant.Grant>, isHandler: boolean, facts: ReadonlyArray<Tool.Fact> = []) => {
    const reads = Context.make(Capability.WorkspaceRead, workspace.read(grants, bounds)).pipe(
      Context.add(Capability.RepositoryRead, workspace.repository(grants, bounds)),
      Context.add(Invocation.Invocation, SampleInvocation.make({ workspaceRoot: root, grants, facts })),
      Context.add(Progress.Progress, { report: () => Effect.void }),
      Context.add(Scope.Scope, scope)
    )
    return (
      isHandler
        ? reads.pipe(
            Context.add(Capability.RepositoryWrite, workspace.repositoryWrite(grants, bounds)),
            Context.add(Capability.RepositoryPush, workspace.repositoryPush)
          )
        : reads
    ) as Context.Context<unknown>
  }
  const reader = <A>(effect: Effect.Effect<A, ToolError.ToolError, unknown>): Effect.Effect<A, ToolError.ToolError> =>
    Effect.setContext(effect, context([], false))
  return {
    base,
    root,
    home,
    lacks: workspace.lacks,
    at: (name: string) => path.join(root, name),
    text: (name: string) => fs.readFileSync(path.join(root, name), "utf8"),
    git: (...args: ReadonlyArray<string>) => git(root, ...args).trimEnd(),
    /** The reason of an approval request; null if there is none. */
    raised: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      Effect.map(
        reader<Tool.Classification>(tool.classify?.(decode(tool, input)) ?? Effect.succeed({ tier: tool.tier })),
        ({ reason, tier }) => (tier === "Elevated" ? (reason ?? "") : null)
      ),
    classify: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      reader<Tool.Classification>(tool.classify?.(decode(tool, input)) ?? Effect.die("no classify")),
    preview: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      reader(tool.preview?.(decode(tool, input)) ?? Effect.die("no preview")),
    findExisting: <P extends Tool.Codec, O extends Tool.Codec>(
      tool: Tool.Tool<string, P, O, unknown>,
      input: P["Encoded"]
    ) =>
      reader<Tool.ToolResult<O["Type"]> | null>(
        tool.findExisting?.(decode(tool, input)) ?? Effect.die("no findExisting")
      ),
    /**
     * Approved if it was raised: the text for the model, and the output. `meanwhile` happens between the
     * judgement and the handler.
     */
    call: <P extends Tool.Codec, O extends Tool.Codec>(
      tool: Tool.Tool<string, P, O, unknown>,
      input: P["Encoded"],
      meanwhile: () => void = () => {}
    ) =>
      Effect.gen(function* () {
        const parameters = decode(tool, input)
        const { facts = [], grants = [] } = yield* reader<Tool.Classification>(
          tool.classify?.(parameters) ?? Effect.succeed({ tier: tool.tier })
        )
        const preview = tool.preview?.(parameters) ?? Effect.succeed({ preconditions: [] })
        // The handler reports why there is nothing to show.
        const { preconditions } = yield* Effect.orElseSucceed(
          reader<Pick<Tool.Preview, "preconditions">>(preview),
          () => ({ preconditions: [] })
        )
        const shown = preconditions.flatMap((one) => ("key" in one ? [one] : []))
        meanwhile()
        const result: Tool.ToolResult<O["Type"]> = yield* Effect.setContext(
          tool.execute(parameters),
          context(grants, true, [...shown, ...facts])
        )
        Schema.encodeUnknownSync(tool.output)(result.output)
        return { ...result, text: tool.forModel?.(result.output) ?? "" }
      })
  }
})

const decode = (tool: Tool.Any, input: unknown) =>
  Schema.decodeUnknownSync(tool.parameters)(input, { onExcessProperty: "error" })

/** The full text of a failure as its reader sees it. */
export const words = (error: ToolError.ToolError): string => `${error._tag} ${error.message}`
