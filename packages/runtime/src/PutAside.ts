/** Calls of a session that were put aside until a person decides. */
import * as Asking from "./Asking.ts"
import type { Running } from "./Running.ts"
import { type OpenCall, pendingRequest } from "./SessionState.ts"

type Session = Pick<Running, "journal" | "tree">

/** Those that somebody has decided about since, oldest first. */
export const decided = ({ journal, tree }: Session): ReadonlyArray<OpenCall> => {
  const { openCalls } = journal.state
  if (openCalls.size === 0) return none
  return Array.from(openCalls.values()).filter((open) => {
    const request = open.deferred ? pendingRequest(open) : null
    return request !== null && Asking.isDecided(tree, request)
  })
}

const none: ReadonlyArray<OpenCall> = []

/** Whether a person who is there has one of them before them. */
export const isAsked = ({ journal, tree }: Session): boolean =>
  tree.channel.ask !== null &&
  Array.from(journal.state.openCalls.values()).some((open) => {
    const request = open.deferred ? pendingRequest(open) : null
    return request !== null && tree.asking.has(request.approvalId)
  })
