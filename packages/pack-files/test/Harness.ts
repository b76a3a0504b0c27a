/** The file tools over a real workspace, one call at a time, as a dispatcher would make them. */
import { Canonical, ToolError } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import { Capability, type Grant, Invocation, Progress, type Tool } from "@bough/tool"
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

export type Files = Readonly<Record<string, string | Uint8Array>>

/** The text that must never be shown. */
export const canary = "canary-7f3a"

export const put = (root: string, files: Files): void => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(name.endsWith("/") ? file : path.dirname(file), { recursive: true })
    if (!name.endsWith("/")) fs.writeFileSync(file, content)
  }
}

/** The result of a call, and the approval request if it was raised. */
export interface Outcome {
  readonly raised: string | null
  readonly grants: ReadonlyArray<Grant.Grant>
}

export const open = Effect.fnUntraced(function* (files: Files = {}, blobs: Files = {}) {
  const base = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-files-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const root = path.join(base, "root")
  const outside = path.join(base, "outside")
  put(base, { "root/": "", "outside/secret": canary })
  put(root, files)
  const workspace = yield* Workspace.make({ root }).pipe(Effect.provide(ProcessRunnerNode.layer))
  const scope = yield* Effect.scope

  /** The context of a tool's code: without `writes` as for `classify`, `preview` and `findExisting`. */
  const context = (grants: ReadonlyArray<Grant.Grant>, writes: boolean) => {
    const reads = Context.make(Capability.WorkspaceRead, workspace.read(grants)).pipe(
      Context.add(Capability.RepositoryRead, workspace.repository(grants)),
      Context.add(Capability.SpilledOutput, { read: (digest) => blobOf(blobs, digest) }),
      Context.add(Invocation.Invocation, SampleInvocation.make({ workspaceRoot: root, grants })),
      Context.add(Progress.Progress, { report: () => Effect.void }),
      Context.add(Scope.Scope, scope)
    )
    return (
      writes ? Context.add(reads, Capability.WorkspaceWrite, workspace.write(grants)) : reads
    ) as Context.Context<unknown>
  }
  const reader = <A>(effect: Effect.Effect<A, ToolError.ToolError, unknown>): Effect.Effect<A, ToolError.ToolError> =>
    Effect.setContext(effect, context([], false))

  const classify = (tool: Tool.Any, parameters: unknown) =>
    tool.classify === null
      ? Effect.succeed<Tool.Classification>({ tier: tool.tier })
      : reader(tool.classify(parameters))

  return {
    base,
    root,
    outside,
    at: (name: string) => path.join(root, name),
    text: (name: string) => fs.readFileSync(path.join(root, name), "utf8"),
    /** The reason of an approval request; null if there is none. */
    raised: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      Effect.map(classify(tool, decode(tool, input)), ({ reason, tier }) =>
        tier === "Elevated" ? (reason ?? "") : null
      ),
    preview: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      reader(tool.preview?.(decode(tool, input)) ?? Effect.die("no preview")),
    findExisting: <P extends Tool.Codec, O extends Tool.Codec>(
      tool: Tool.Tool<string, P, O, unknown>,
      input: P["Encoded"]
    ) =>
      reader<Tool.ToolResult<O["Type"]> | null>(
        tool.findExisting?.(decode(tool, input)) ?? Effect.die("no findExisting")
      ),
    /** Approved if it was raised: preview, then the handler with its grants; the output is decoded by its schema. */
    call: <P extends Tool.Codec, O extends Tool.Codec>(tool: Tool.Tool<string, P, O, unknown>, input: P["Encoded"]) =>
      Effect.gen(function* () {
        const parameters = decode(tool, input)
        const { grants = [] } = yield* classify(tool, parameters)
        if (tool.preview !== null) yield* reader(tool.preview(parameters))
        const result: Tool.ToolResult<O["Type"]> = yield* Effect.setContext(
          tool.execute(parameters),
          context(grants, true)
        )
        Schema.encodeUnknownSync(tool.output)(result.output)
        return result
      })
  }
})

const decode = (tool: Tool.Any, input: unknown) =>
  Schema.decodeUnknownSync(tool.parameters)(input, { onExcessProperty: "error" })

const blobOf = (blobs: Files, digest: string) => {
  const found = Object.values(blobs).find((content) => Canonical.digest(content) === digest)
  return found === undefined
    ? Effect.fail(new ToolError.ExecutionError({ message: `no blob ${digest}` }))
    : Effect.succeed(Buffer.from(found))
}

/** The full text of a failure as its reader sees it. */
export const words = (error: ToolError.ToolError): string => `${error._tag} ${error.message}`

export const isRoot = process.getuid?.() === 0

/** Runs a program to its end; fails the test if the program fails. */
export const command = (program: string, args: ReadonlyArray<string>, cwd?: string): string => {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`)
  return stdout
}
