/** The limits of a session and its tree: those of the overrides, else the lowest of the operator's, the project's and the agent's. */
import { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type HostFailure, invalid } from "../HostFailure.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"

/** The limits of a command line or a request. Null: not set. */
export interface LimitOverrides {
  readonly maxSteps: number | null
  readonly maxCostUsd: number | null
}

/** `narrowing`: limits that can lower the operator's limits and never raise them. */
export const mergeLimits = (
  overrides: LimitOverrides,
  operator: ConfigSchema.User,
  narrowing: ReadonlyArray<ConfigSchema.Limits>
): Effect.Effect<Agent.Limits, HostFailure> => {
  if (overrides.maxSteps !== null && overrides.maxSteps < 1) {
    return Effect.fail(invalid(`--max-steps cannot be ${overrides.maxSteps}`, "give a whole number, at least 1"))
  }
  if (overrides.maxCostUsd !== null && overrides.maxCostUsd <= 0) {
    return Effect.fail(invalid(`--max-cost cannot be ${overrides.maxCostUsd}`, "give an amount of US dollars above 0"))
  }
  const { approvalGraceSeconds } = operator
  const all = [operator.limits ?? {}, ...narrowing]
  const activeMinutes = lowest(all, "maxActiveMinutes")
  const orDefault = (name: "maxSteps" | "maxSpawns" | "maxDepth" | "maxLiveChildren"): number => {
    const unset = Agent.defaultLimits[name]
    return lowest([{ [name]: unset, ...operator.limits }, ...narrowing], name) ?? unset
  }
  return Effect.succeed({
    ...Agent.defaultLimits,
    ...(approvalGraceSeconds === undefined ? {} : { approvalGraceMillis: approvalGraceSeconds * 1000 }),
    maxSteps: overrides.maxSteps ?? orDefault("maxSteps"),
    maxCostUsd: overrides.maxCostUsd ?? lowest(all, "maxCostUsd"),
    maxSpawns: orDefault("maxSpawns"),
    maxDepth: orDefault("maxDepth"),
    maxLiveChildren: orDefault("maxLiveChildren"),
    treeBudget: {
      inputTokens: lowest(all, "maxInputTokens"),
      outputTokens: lowest(all, "maxOutputTokens"),
      activeMillis: activeMinutes === null ? null : Math.round(activeMinutes * 60_000),
      steps: lowest(all, "maxTreeSteps")
    }
  })
}

/** The lower of an agent's limits and the given ones, in each limit. */
export const narrow = (limits: Agent.Limits, by: ConfigSchema.Limits): Agent.Limits => {
  const lower = (limit: number | null, name: keyof ConfigSchema.Limits, factor = 1): number | null => {
    const configuredLimit = by[name]
    return configuredLimit === undefined
      ? limit
      : Math.min(limit ?? Infinity, Math.round(configuredLimit * factor * 1e6) / 1e6)
  }
  const atMost = (limit: number, name: keyof ConfigSchema.Limits): number => lower(limit, name) ?? limit
  const { activeMillis, inputTokens, outputTokens, steps } = limits.treeBudget
  return {
    ...limits,
    maxSteps: atMost(limits.maxSteps, "maxSteps"),
    maxCostUsd: lower(limits.maxCostUsd, "maxCostUsd"),
    maxSpawns: atMost(limits.maxSpawns, "maxSpawns"),
    maxDepth: atMost(limits.maxDepth, "maxDepth"),
    maxLiveChildren: atMost(limits.maxLiveChildren, "maxLiveChildren"),
    treeBudget: {
      inputTokens: lower(inputTokens, "maxInputTokens"),
      outputTokens: lower(outputTokens, "maxOutputTokens"),
      activeMillis: lower(activeMillis, "maxActiveMinutes", 60_000),
      steps: lower(steps, "maxTreeSteps")
    }
  }
}

/** Returns the lowest of the limits with this name; null: none is set. */
const lowest = (all: ReadonlyArray<ConfigSchema.Limits>, name: keyof ConfigSchema.Limits): number | null => {
  const values = all.flatMap(({ [name]: limit }) => (limit === undefined ? [] : [limit]))
  return values.length === 0 ? null : Math.min(...values)
}
