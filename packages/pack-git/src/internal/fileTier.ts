/** Raises the tier of calls whose files a user has to review. */
import type { ToolError } from "@bough/protocol"
import { Capability, Grant, type Tool, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"

const reasons: Readonly<Record<Exclude<WorkspaceRead.Sensitivity, "none">, string>> = {
  secret: "may hold credentials",
  instructions: "instructs agents",
  configuration: "is configuration that editors and tools may run"
}

const maxNamed = 5

/** Raises the call if one of its files is of these kinds; the approval grants a secret file. */
export const classifyFiles = Effect.fnUntraced(function* (
  paths: ReadonlyArray<string>,
  kinds: ReadonlyArray<WorkspaceRead.Sensitivity>
): Effect.fn.Return<Tool.Classification, ToolError.ToolError, WorkspaceRead.WorkspaceRead> {
  const workspace = yield* Capability.WorkspaceRead
  // The handler refuses files that no call may access, or leaves them out.
  const subjects = yield* Effect.forEach(paths, (path) =>
    Effect.match(workspace.inspect(path), { onFailure: () => [], onSuccess: (subject) => [subject] })
  )
  const raised = subjects.flat().filter(({ sensitivity }) => kinds.includes(sensitivity))
  if (raised.length === 0) return { tier: "Workspace" }
  const named = raised.map(({ path, sensitivity }) =>
    sensitivity === "none" ? path : `${path} ${reasons[sensitivity]}`
  )
  return {
    tier: "Elevated",
    reason: named.slice(0, maxNamed).join("; ") + (named.length > maxNamed ? "; and more" : ""),
    grants: raised
      .filter(({ sensitivity }) => sensitivity === "secret")
      .map(({ path }) => Grant.Grant.cases.Path.make({ path }))
  }
})
