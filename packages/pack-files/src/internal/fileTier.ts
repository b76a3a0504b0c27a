/** Raises the tier of calls that need an approval because of their path. */
import type { ToolError } from "@bough/protocol"
import { Capability, Grant, type Tool, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"

type ClassificationEffect = Effect.Effect<Tool.Classification, ToolError.ToolError, WorkspaceRead.WorkspaceRead>

const plain: Tool.Classification = { tier: "ReadOnly" }

const reasons: Readonly<Record<Exclude<WorkspaceRead.Sensitivity, "none">, string>> = {
  secret: "may hold credentials",
  instructions: "instructs agents",
  configuration: "is configuration that editors and tools may run"
}

/** Raises the tier for reading a secret file, which the approval then grants. */
export const classifyRead = (path: string): ClassificationEffect =>
  Effect.map(inspect(path), (subject) => (subject.sensitivity === "secret" ? toElevated(subject) : plain))

/** Raises the tier for writing any file that is not plain. */
export const classifyWrite = (path: string): ClassificationEffect =>
  Effect.map(inspect(path), (subject) => (subject.sensitivity === "none" ? plain : toElevated(subject)))

/** Combines both raises. */
export const combine = (a: Tool.Classification, b: Tool.Classification): Tool.Classification => {
  if (a.reason === undefined) return b
  if (b.reason === undefined) return a
  return {
    tier: "Elevated",
    reason: `${a.reason}; ${b.reason}`,
    grants: [...(a.grants ?? []), ...(b.grants ?? [])]
  }
}

const inspect = (path: string) => Effect.flatMap(Capability.WorkspaceRead, (workspace) => workspace.inspect(path))

const toElevated = ({ path, sensitivity }: WorkspaceRead.Subject): Tool.Classification => ({
  tier: "Elevated",
  reason: sensitivity === "none" ? path : `${path} ${reasons[sensitivity]}`,
  grants: sensitivity === "secret" ? [Grant.Grant.cases.Path.make({ path })] : []
})
