/** Pure policy: tiers, rules, labels. */
export * as Policy from "./Policy.ts"
export * as Rule from "./Rule.ts"
