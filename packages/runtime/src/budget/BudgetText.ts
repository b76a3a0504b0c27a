/** Describes limits, for users and models. */
import type { Budget as BudgetData } from "@bough/protocol"
import * as Budget from "./Budget.ts"

export const names: Readonly<Record<Budget.Dimension, string>> = {
  inputTokens: "input tokens",
  outputTokens: "output tokens",
  costUsd: "money",
  activeMillis: "active time",
  steps: "steps",
  spawns: "sessions to start"
}

/** Returns the reason why a session stops before its next step. */
export const reason = (balance: Budget.Balance, dimension: Budget.Dimension, promptTokens: number): string => {
  const { limit, spent } = balance
  const is = Budget.remainingOf(balance, dimension) === 0 ? "is spent" : tooLittle(dimension, promptTokens)
  if (dimension === "activeMillis") return timeSpent(limit)
  if (dimension !== "costUsd") return `the limit of ${limit[dimension]} ${names[dimension]} ${is}`
  return spent.costUsd === null
    ? "the cost of an interrupted answer is not known, so the cost limit cannot be held"
    : `the cost limit of $${limit.costUsd} ${is}`
}

/** Returns the reason why running work was stopped. */
export const timeSpent = ({ activeMillis }: BudgetData.Limit): string =>
  `the limit of ${(activeMillis ?? 0) / 1000} s of work is spent`

/** The size of a prompt is an upper bound here, because providers count fewer tokens than bytes. */
const tooLittle = (dimension: Budget.Dimension, promptTokens: number): string =>
  dimension === "outputTokens" || promptTokens === 0
    ? "has too little left for an answer"
    : `has too little left for a step, whose prompt may have up to ${promptTokens.toLocaleString("en-US")} tokens`
