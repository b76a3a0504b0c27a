/** The deferred calls of a session, which wait for a decision. */
import { OpenCalls } from "@bough/protocol"
import * as PendingApprovals from "../approval/PendingApprovals.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import type { ToolRunner } from "./ToolRunner.ts"

type Runner = Pick<ToolRunner, "budget" | "channel" | "journal" | "pending">

/**
 * Returns the deferred calls that have been decided since, oldest first. They stay deferred if no active time remains.
 */
export const decidedCalls = ({
  budget,
  journal,
  pending
}: Omit<Runner, "channel">): ReadonlyArray<OpenCalls.OpenCall> => {
  const { openCalls } = journal.state
  if (openCalls.size === 0 || TimeBudget.isOver(budget)) return none
  return Array.from(openCalls.values()).filter((open) => {
    const request = open.deferred ? OpenCalls.pendingRequest(open) : null
    return request !== null && PendingApprovals.isDecided(pending, request)
  })
}

const none: ReadonlyArray<OpenCalls.OpenCall> = []

/** True if the attached user is being asked about a deferred call that could run. */
export const isAsked = ({ budget, channel, journal, pending }: Runner): boolean => {
  const { openCalls } = journal.state
  if (channel.ask === null || openCalls.size === 0 || TimeBudget.isOver(budget)) return false
  return Array.from(openCalls.values()).some((open) => {
    const request = open.deferred ? OpenCalls.pendingRequest(open) : null
    return request !== null && PendingApprovals.isAsked(pending, request)
  })
}
