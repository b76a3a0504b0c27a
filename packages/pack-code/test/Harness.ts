/** The code tools over a real workspace, one call at a time, as a dispatcher would make them. */
import type { ToolError } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import { Capability, Invocation, Progress, type Tool, type ToolContext } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { Workspace } from "@bough/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"

export type Files = Readonly<Record<string, string | Uint8Array>>

export const open = Effect.fnUntraced(function* (files: Files, withheld: ReadonlyArray<ToolContext.WithheldPath> = []) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-code-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  const workspace = yield* Workspace.make({ root, variables: { PATH: process.env["PATH"] ?? "" } }).pipe(
    Effect.provide(ProcessRunnerNode.layer)
  )
  const scope = yield* Effect.scope
  const context = Context.make(
    Capability.WorkspaceRead,
    workspace.read([], withheld.length === 0 ? undefined : { places: withheld, report: () => {} })
  ).pipe(
    Context.add(Invocation.Invocation, SampleInvocation.make({ workspaceRoot: root })),
    Context.add(Progress.Progress, { report: () => Effect.void }),
    Context.add(Scope.Scope, scope)
  ) as Context.Context<unknown>
  return {
    root,
    call: <P extends Tool.Codec, O extends Tool.Codec>(tool: Tool.Tool<string, P, O, unknown>, input: P["Encoded"]) =>
      Effect.gen(function* () {
        const parameters = Schema.decodeUnknownSync(tool.parameters)(input, { onExcessProperty: "error" })
        const result: Tool.ToolResult<O["Type"]> = yield* Effect.setContext(tool.execute(parameters), context)
        Schema.encodeUnknownSync(tool.output)(result.output)
        return { ...result, text: tool.forModel?.(result.output) ?? "" }
      }) as Effect.Effect<Tool.ToolResult<O["Type"]> & { readonly text: string }, ToolError.ToolError>
  }
})
