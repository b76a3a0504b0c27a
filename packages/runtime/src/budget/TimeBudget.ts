/** Stops a session's work when its active time is over. Without a limit of time this costs nothing. */
import * as Effect from "effect/Effect"
import * as ActiveTime from "./ActiveTime.ts"
import * as Budget from "./Budget.ts"
import * as BudgetText from "./BudgetText.ts"
import type { SessionBudget } from "./SessionBudget.ts"

/** True if no active time remains. */
export const isOver = ({ limit, balance }: SessionBudget): boolean =>
  limit.activeMillis !== null && Budget.remainingOf(balance(), "activeMillis") === 0

/**
 * Interrupts work when the time is over, and succeeds with `stopped` once the work has stopped. The time that stopping
 * takes is added to the limit.
 */
export const runWithin = <A, E, R>(
  { activeTime, limit, balance }: SessionBudget,
  work: Effect.Effect<A, E, R>,
  stopped: A
): Effect.Effect<A, E, R> =>
  limit.activeMillis === null
    ? work
    : Effect.raceFirst(
        work,
        Effect.as(
          ActiveTime.waitUntilSpent(activeTime, () => Budget.remainingOf(balance(), "activeMillis") ?? Infinity),
          stopped
        )
      )

/** Returns the reason of a stop by the time budget; null: time remains. */
export const reason = (budget: SessionBudget): string | null =>
  isOver(budget) ? BudgetText.timeSpent(budget.limit) : null
