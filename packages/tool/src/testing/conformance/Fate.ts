/** The simulated outcomes of capability calls: how the kit answers each call, and which call it disturbs. */
import { ToolError } from "@bough/protocol"

/** The error with which a call fails. */
export type FailureTag = ToolError.ToolError["_tag"]

/**
 * The simulated outcome of one call. `never`: no effect and no answer; `lost`: the effect happens, but there is no
 * answer.
 */
export type CallFate = "provided" | "never" | "lost" | FailureTag

/** Decides the outcome of a call by its position in the run, from 0. */
export type FateByPosition = (position: number) => CallFate

export const failures: ReadonlyArray<FailureTag> = ["ExecutionError", "ValidationError", "PermissionDenied", "Timeout"]

export const all =
  (fate: CallFate): FateByPosition =>
  () =>
    fate

/** Assigns this outcome to one call; all others are answered by the provided service. */
export const only =
  (position: number, fate: CallFate): FateByPosition =>
  (current) =>
    current === position ? fate : "provided"

/** Simulates a process that is killed at this call: later calls have no effect. */
export const killedAt =
  (position: number, fate: "never" | "lost"): FateByPosition =>
  (current) =>
    current < position ? "provided" : current === position ? fate : "never"

export const error = (tag: FailureTag, message: string): ToolError.ToolError => {
  switch (tag) {
    case "ExecutionError":
      return new ToolError.ExecutionError({ message })
    case "ValidationError":
      return new ToolError.ValidationError({ message, issues: [] })
    case "PermissionDenied":
      return new ToolError.PermissionDenied({ tier: "System", reason: message })
    case "Timeout":
      return new ToolError.Timeout({ elapsedMillis: 1, hint: message })
  }
}
