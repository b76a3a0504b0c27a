/** The rule that "always" saves with an approval: shown to the user first, and saved exactly as shown. */
import { RuleFields } from "@bough/dispatch"
import { HostRule, RuleOf } from "@bough/policy"
import type { Approval } from "@bough/protocol"
import type { Tool } from "@bough/tool"

export interface RuleContext {
  readonly registry: ReadonlyMap<string, Tool.Any>
  readonly workspaceRoot: string
}

/** Returns the rule that "always" stores; null if no rule can be made that covers this call. */
export const offeredRule = ({ registry, workspaceRoot }: RuleContext, request: Approval.Request): string | null => {
  if (request.everyTime === true) return null
  if (request.rule !== undefined) return request.rule
  const tool = registry.get(request.tool)
  if (tool === undefined) return null
  if (request.reaches !== undefined) {
    const destination = HostRule.destinationOf(request.reaches)
    return destination === null ? null : (RuleOf.ruleForHost(request.tool, destination)?.text ?? null)
  }
  const subject = RuleFields.subjectOf(tool, request.arguments, workspaceRoot)
  const rule = RuleOf.ruleOf({ ...subject, tier: request.tier })
  return rule === null ? null : rule.text
}
