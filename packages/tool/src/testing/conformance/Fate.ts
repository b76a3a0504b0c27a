/** The fates of calls of capabilities: how the kit answers them, and at which of them it disturbs a run. */
import { ToolError } from "@bough/protocol"

/** The error with which a call fails. */
export type Failing = ToolError.ToolError["_tag"]

/** How one call is answered. `never`: it has no effect and no answer; `lost`: its effect happens, and no answer comes. */
export type Fate = "provided" | "never" | "lost" | Failing

/** Decides the fate of a call by its position in the run, from 0. */
export type Fates = (position: number) => Fate

export const failures: ReadonlyArray<Failing> = ["ExecutionError", "ValidationError", "PermissionDenied", "Timeout"]

export const all =
  (fate: Fate): Fates =>
  () =>
    fate

/** Gives one call this fate; all others are answered as provided. */
export const only =
  (position: number, fate: Fate): Fates =>
  (current) =>
    current === position ? fate : "provided"

/** Answers as a process does that is killed at this call: what comes later has no effect. */
export const killedAt =
  (position: number, fate: "never" | "lost"): Fates =>
  (current) =>
    current < position ? "provided" : current === position ? fate : "never"

export const error = (tag: Failing, message: string): ToolError.ToolError => {
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
