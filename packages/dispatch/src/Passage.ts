/**
 * Where the requests of a running call may go. The call's own address was decided before it started; what comes after it,
 * such as a redirect, is compared with the rules and with the hosts that people agreed to.
 */
import { HostRule, Policy } from "@bough/policy"
import type { ToolContext } from "@bough/tool"
import type { Decoded } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import * as RuleFields from "./RuleFields.ts"
import * as Taint from "./Taint.ts"

export const of =
  (call: Decoded, caller: Caller): ToolContext.Passage =>
  (url, isRedirect) => {
    const own = call.tool.egress?.address?.(call.parameters)
    if (own !== undefined && URL.parse(own)?.href === URL.parse(url)?.href) return null
    const destination = HostRule.destinationOf(url)
    if (destination === null) return null
    const subject = RuleFields.ofCall(call, caller)
    const rule = Policy.ruleAgainst(caller.policy, subject, destination)
    if (rule !== null) {
      const text = JSON.stringify(rule.text)
      return rule.effect === "deny" ? `denied by the rule ${text}` : `the rule ${text} asks about that host; ${direct}`
    }
    if (!isRedirect || !Taint.isComposed(call, caller) || caller.provenance.isGivenAddress(url)) return null
    if (caller.provenance.isAgreedHost(HostRule.keyOf(destination))) return null
    if (Policy.allowsHost(caller.policy, { ...subject, destination })) return null
    return `nobody agreed to that host, and the session has read private data; ${direct}`
  }

const direct = "call the tool with that address itself, which asks"
