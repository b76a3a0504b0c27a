/**
 * Limits the destinations of the requests of a running call. The call's own address was decided before its start; later
 * ones, such as redirects, are compared with the rules and with approved hosts.
 */
import { HostRule, Policy } from "@bough/policy"
import type { ToolContext } from "@bough/tool"
import type { DecodedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as RuleFields from "./RuleFields.ts"
import * as Taint from "./Taint.ts"

export const passageOf =
  (call: DecodedCall, context: DispatchContext): ToolContext.Passage =>
  (url, isRedirect) => {
    const declaredAddress = call.tool.egress?.address?.(call.parameters)
    if (declaredAddress !== undefined && URL.parse(declaredAddress)?.href === URL.parse(url)?.href) return null
    const destination = HostRule.destinationOf(url)
    if (destination === null) return null
    const subject = RuleFields.fromCall(call, context)
    const rule = Policy.ruleAgainst(context.policy, subject, destination)
    if (rule !== null) {
      const text = JSON.stringify(rule.text)
      return rule.effect === "deny" ? `denied by the rule ${text}` : `the rule ${text} asks about that host; ${direct}`
    }
    if (!isRedirect || !Taint.isComposed(call, context) || context.provenance.isGivenAddress(url)) return null
    if (context.provenance.isAgreedHost(HostRule.keyOf(destination))) return null
    if (Policy.allowsHost(context.policy, { ...subject, destination })) return null
    return `that host was not approved, and the session has read private data; ${direct}`
  }

const direct = "to ask the user, call the tool with that address"
