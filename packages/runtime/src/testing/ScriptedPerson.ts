/** A user on a channel whose decisions on approvals the test controls. */
import type { Approval } from "@bough/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Channel from "../ports/Channel.ts"

export interface ScriptedPerson {
  readonly ask: (request: Approval.Request) => Effect.Effect<Channel.ChannelAnswer>
  /** Every request that was shown, oldest first. */
  readonly asked: Array<Approval.Request>
  /** The requests that wait for a decision. */
  readonly open: Map<Approval.Request["approvalId"], Deferred.Deferred<Approval.Decision>>
  /** Decides the oldest open request; dies if none is open. */
  readonly answer: (decision: Approval.Decision) => Effect.Effect<void>
}

export const make = (): ScriptedPerson => {
  const asked: ScriptedPerson["asked"] = []
  const open: ScriptedPerson["open"] = new Map()
  return {
    asked,
    open,
    ask: (request) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const answer = Deferred.makeUnsafe<Approval.Decision>()
          asked.push(request)
          open.set(request.approvalId, answer)
          return answer
        }),
        (answer) => Effect.map(Deferred.await(answer), (decision) => ({ decision, principal: "ada" })),
        () => Effect.sync(() => open.delete(request.approvalId))
      ),
    answer: (decision) =>
      Effect.suspend(() => {
        const [oldest] = open.values()
        return oldest === undefined ? Effect.die("no approval request is open") : Deferred.succeed(oldest, decision)
      })
  }
}

export const yes: Approval.Decision = { _tag: "Approved", rule: null }
export const no = (words: string | null): Approval.Decision => ({ _tag: "Denied", words })
