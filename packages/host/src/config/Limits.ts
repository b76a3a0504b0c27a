/** The limits of a session and its tree: those of the overrides, else the lower of the operator's and the project's. */
import { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type HostFailure, invalid } from "../HostFailure.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"

/** Limits of a command line or a request. Null: not given. */
export interface LimitOverrides {
  readonly maxSteps: number | null
  readonly maxCostUsd: number | null
}

export const mergeLimits = (
  given: LimitOverrides,
  operator: ConfigSchema.User,
  project: ConfigSchema.Project
): Effect.Effect<Agent.Limits, HostFailure> => {
  if (given.maxSteps !== null && given.maxSteps < 1) {
    return Effect.fail(invalid(`--max-steps cannot be ${given.maxSteps}`, "give a whole number, at least 1"))
  }
  if (given.maxCostUsd !== null && given.maxCostUsd <= 0) {
    return Effect.fail(invalid(`--max-cost cannot be ${given.maxCostUsd}`, "it takes an amount of US dollars above 0"))
  }
  const { approvalGraceSeconds } = operator
  const both = [operator.limits ?? {}, project.limits ?? {}] as const
  const activeMinutes = lowest(both, "maxActiveMinutes")
  const orDefault = (name: "maxSteps" | "maxSpawns" | "maxDepth" | "maxLiveChildren"): number => {
    const unset = Agent.defaultLimits[name]
    return lowest([{ [name]: unset, ...both[0] }, both[1]], name) ?? unset
  }
  return Effect.succeed({
    ...Agent.defaultLimits,
    ...(approvalGraceSeconds === undefined ? {} : { approvalGraceMillis: approvalGraceSeconds * 1000 }),
    maxSteps: given.maxSteps ?? orDefault("maxSteps"),
    maxCostUsd: given.maxCostUsd ?? lowest(both, "maxCostUsd"),
    maxSpawns: orDefault("maxSpawns"),
    maxDepth: orDefault("maxDepth"),
    maxLiveChildren: orDefault("maxLiveChildren"),
    treeBudget: {
      inputTokens: lowest(both, "maxInputTokens"),
      outputTokens: lowest(both, "maxOutputTokens"),
      activeMillis: activeMinutes === null ? null : Math.round(activeMinutes * 60_000),
      steps: lowest(both, "maxTreeSteps")
    }
  })
}

/** Takes the lower of the operator's and the project's limit; null: neither has it. */
const lowest = (both: ReadonlyArray<ConfigSchema.Limits>, name: keyof ConfigSchema.Limits): number | null => {
  const given = both.flatMap(({ [name]: limit }) => (limit === undefined ? [] : [limit]))
  return given.length === 0 ? null : Math.min(...given)
}
