/** Calls of a session that were put aside until a person decides. */
import * as PendingApprovals from "../approval/PendingApprovals.ts"
import type { SessionContext } from "./SessionContext.ts"
import { type OpenCall, pendingRequest } from "../journal/SessionState.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"

/** Those that somebody has decided about since, oldest first. Without time to run them they wait on. */
export const decided = (context: SessionContext): ReadonlyArray<OpenCall> => {
  const { journal, tree } = context
  const { openCalls } = journal.state
  if (openCalls.size === 0 || TimeBudget.isOver(context)) return none
  return Array.from(openCalls.values()).filter((open) => {
    const request = open.deferred ? pendingRequest(open) : null
    return request !== null && PendingApprovals.isDecided(tree, request)
  })
}

const none: ReadonlyArray<OpenCall> = []

/** Whether a person who is there has one of them before them, and it could run. */
export const isAsked = (context: SessionContext): boolean => {
  const { journal, tree } = context
  if (tree.channel.ask === null || journal.state.openCalls.size === 0 || TimeBudget.isOver(context)) return false
  return Array.from(journal.state.openCalls.values()).some((open) => {
    const request = open.deferred ? pendingRequest(open) : null
    return request !== null && tree.asking.has(request.approvalId)
  })
}
