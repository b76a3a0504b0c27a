/** Pure policy: tiers, rules, labels. */
export * as CallText from "./CallText.ts"
export * as Floors from "./Floors.ts"
export * as HostRule from "./HostRule.ts"
export * as Policy from "./Policy.ts"
export * as Rule from "./Rule.ts"
export * as RuleMatch from "./RuleMatch.ts"
export * as RuleOf from "./RuleOf.ts"
export * as RuleText from "./RuleText.ts"
