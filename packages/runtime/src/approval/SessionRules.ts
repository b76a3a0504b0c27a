/**
 * Rules that users give with their decisions. A rule for the session applies to every session of its tree, is stored in
 * the Main's journal and ends with the tree; longer-lived rules are stored by the program, outside of every journal.
 */
import type { Call } from "@bough/dispatch"
import { CallText, type Rule, RuleText } from "@bough/policy"
import type { Approval } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Inbox from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import type { LeaseLost, SessionStore, StoreFailed } from "../ports/SessionStore.ts"

/** A rule that outlives its tree. */
export interface LastingRule {
  readonly rule: string
  /** The call for which the user made the rule, as formatted by `CallText`; null: it is too long, or shows no host. */
  readonly call: string | null
  readonly scope: Exclude<Approval.Scope, "session">
  readonly principal: string
}

/**
 * A program's store of rules. `now` returns the rules that are active at this moment, including changes by other
 * processes.
 */
export interface SavedRules {
  readonly now: () => ReadonlyArray<Rule.Rule>
  /** Fails with one sentence. */
  readonly save: (lastingRule: LastingRule) => Effect.Effect<void, string>
}

export interface SessionRules {
  readonly now: () => ReadonlyArray<Rule.Rule>
  /** Stores the rule of a decision, if the decision has one, before the approved call starts. */
  readonly give: (approved: Call.CallApproval) => Effect.Effect<void, LeaseLost | StoreFailed>
}

/** The parts of the Main's journal that rules are read from and recorded in. */
interface RuleJournal extends Pick<Journal["Service"], "sessionId" | "append"> {
  readonly state: Pick<Journal["Service"]["state"], "rules">
}

export interface SessionRulesOptions {
  readonly main: RuleJournal
  readonly saved: SavedRules | null
  /** Notifies users about a rule that could not be stored. */
  readonly notice: (message: string) => Effect.Effect<void>
}

export const make = ({ main, notice, saved }: SessionRulesOptions): SessionRules => {
  let read: ReadonlyArray<string> = []
  let parsed: ReadonlyArray<Rule.Rule> = []
  const ofTree = (): ReadonlyArray<Rule.Rule> => {
    const { rules } = main.state
    if (rules !== read) {
      read = rules
      parsed = rules.flatMap((rule) =>
        Result.match(RuleText.parse(rule), { onFailure: () => [], onSuccess: (ruleOfText) => [ruleOfText] })
      )
    }
    return parsed
  }
  const keep = (lastingRule: LastingRule) =>
    saved === null
      ? notice(`the rule is not kept, because this program keeps none: ${lastingRule.rule}`)
      : saved.save(lastingRule).pipe(Effect.catch((problem) => notice(`the rule is not kept: ${problem}`)))
  return {
    now: () => (saved === null ? ofTree() : [...saved.now(), ...ofTree()]),
    give: ({ decision, principal, request }) => {
      const { approvalId, sessionPath } = request
      if (decision._tag !== "Approved" || decision.rule === null) return Effect.void
      const { rule, scope = "session" } = decision
      if (scope !== "session") return keep({ rule, call: callOf(request), scope, principal })
      // For a call of the Main, the commit that starts the call also records the rule.
      if (sessionPath.at(-1) === main.sessionId || main.state.rules.includes(rule)) return Effect.void
      return main.append({ bodies: [{ _tag: "RuleGiven", rule, approvalId, principal }] })
    }
  }
}

/** The longest call that is stored as an example; users do not read longer ones. */
const maxCallLength = 1_000

/** Null also for a host that a running command reached: the arguments of its call do not contain the host. */
const callOf = ({ arguments: callArguments, reaches, tool }: Approval.Request): string | null => {
  if (reaches !== undefined) return null
  // Canonical arguments are always a JSON object.
  const call = { tool, arguments: JSON.parse(callArguments) as CallText.Call["arguments"] }
  const text = CallText.formatCall(call)
  return text === null || text.length > maxCallLength ? null : text
}

/** Records the rules that users revoked: a row and its entry are one commit. */
export const revoke = (
  store: SessionStore["Service"],
  main: Journal["Service"]
): Effect.Effect<void, LeaseLost | StoreFailed> =>
  Effect.flatMap(store.inbox(main.treeId), (rows) =>
    Effect.forEach(
      rows,
      (row) =>
        row.command._tag === "RevokeRule"
          ? main.append({
              // A session that has not been opened has no rules.
              bodies:
                main.state.opened === null
                  ? []
                  : [{ _tag: "RuleRevoked", rule: row.command.rule, principal: row.principal }],
              projections: [Inbox.doneProjection(row)]
            })
          : Effect.void,
      { discard: true }
    )
  )
