/** The budget of one session and its descendants: its limit, its active time, and the current balance. */
import type { Budget as BudgetData } from "@bough/protocol"
import type { SessionState } from "../journal/SessionState.ts"
import * as ActiveTime from "./ActiveTime.ts"
import * as Budget from "./Budget.ts"

export interface SessionBudget {
  readonly limit: BudgetData.Limit
  readonly activeTime: ActiveTime.ActiveTime
  /** The session's limit, with its spending so far; work that no entry records yet is included. */
  readonly balance: () => Budget.Balance
}

export const make = (state: SessionState, limit: BudgetData.Limit): SessionBudget => {
  const activeTime = ActiveTime.make(() => state.activeMillis)
  return {
    limit,
    activeTime,
    balance: () =>
      Budget.balanceOf(state, limit, limit.activeMillis === null ? 0 : ActiveTime.unrecordedMillis(activeTime))
  }
}
