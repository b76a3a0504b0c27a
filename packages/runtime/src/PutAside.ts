/** Calls of a session that were put aside until a person decides. */
import * as Asking from "./Asking.ts"
import type { Running } from "./Running.ts"
import { type OpenCall, pendingRequest } from "./SessionState.ts"
import * as WorkLimit from "./WorkLimit.ts"

/** Those that somebody has decided about since, oldest first. Without time to run them they wait on. */
export const decided = (running: Running): ReadonlyArray<OpenCall> => {
  const { journal, tree } = running
  const { openCalls } = journal.state
  if (openCalls.size === 0 || WorkLimit.isOver(running)) return none
  return Array.from(openCalls.values()).filter((open) => {
    const request = open.deferred ? pendingRequest(open) : null
    return request !== null && Asking.isDecided(tree, request)
  })
}

const none: ReadonlyArray<OpenCall> = []

/** Whether a person who is there has one of them before them, and it could run. */
export const isAsked = (running: Running): boolean => {
  const { journal, tree } = running
  if (tree.channel.ask === null || journal.state.openCalls.size === 0 || WorkLimit.isOver(running)) return false
  return Array.from(journal.state.openCalls.values()).some((open) => {
    const request = open.deferred ? pendingRequest(open) : null
    return request !== null && tree.asking.has(request.approvalId)
  })
}
