/** The limits on new sessions and their budgets. The error names the limit that was exceeded. */
import { type Budget as BudgetData, ToolError } from "@bough/protocol"
import type { Spawn } from "@bough/tool"
import * as Result from "effect/Result"
import * as Budget from "../budget/Budget.ts"
import * as BudgetText from "../budget/BudgetText.ts"
import { type Agent, budgetOf } from "../session/Agent.ts"
import type { SessionServices } from "../session/SessionServices.ts"

const refused = (message: string, hint: string) => Result.fail(new ToolError.ExecutionError({ message, hint }))

type Request = Pick<Spawn.SpawnRequest, "agent" | "kind" | "share">

/** Checks the limits that do not depend on the child's budget. */
export const check = (
  { agent, journal, kind, path }: Pick<SessionServices, "agent" | "journal" | "kind" | "path">,
  wanted: Request["kind"]
): Result.Result<void, ToolError.ExecutionError> => {
  const { maxDepth, maxLiveChildren } = agent.limits
  if (kind === "Worker") return refused("a Worker starts no sessions", "do it here")
  // The new session is one level deeper; the Main has depth 0.
  if (path.length > maxDepth) {
    return refused(`sessions go ${maxDepth} deep, and this one is at depth ${path.length - 1}`, "do it here")
  }
  // A Branch needs one more level, for a Worker below it.
  if (wanted === "Branch" && path.length === maxDepth) {
    return refused(
      `Branches go ${maxDepth - 1} deep, and this session is at depth ${path.length - 1}`,
      "start a Worker"
    )
  }
  if (journal.state.liveChildren.size >= maxLiveChildren) {
    return refused(`${maxLiveChildren} child sessions of this session have not ended`, "wait for one, or cancel one")
  }
  return Result.succeed(undefined)
}

/** Returns the budget to reserve for the child. The caller locks the parent's journal. */
export const reserve = (
  parent: SessionServices,
  { agent, request }: { readonly agent: Pick<Agent, "limits">; readonly request: Request }
): Result.Result<BudgetData.Limit, ToolError.ExecutionError> => {
  const { kind, share } = request
  const checked = check(parent, kind)
  if (Result.isFailure(checked)) return Result.fail(checked.failure)
  const portion = Budget.childBudget(parent.budget.balance(), kind, share ?? defaultShare[kind])
  return typeof portion === "string"
    ? refused(`nothing is left of this session's ${BudgetText.names[portion]}`, "finish with the results so far")
    : Result.succeed(request.agent === undefined ? portion : Budget.lower(portion, budgetOf(agent.limits)))
}

const defaultShare = { Branch: 0.25, Worker: 0.1 } as const
