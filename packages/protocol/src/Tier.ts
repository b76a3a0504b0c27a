/** The tiers of calls by danger, the lowest first. */
import * as Schema from "effect/Schema"

export const Tier = Schema.Literals(["ReadOnly", "Workspace", "System", "Elevated"])
export type Tier = typeof Tier.Type

const rank: Readonly<Record<Tier, number>> = { ReadOnly: 0, Workspace: 1, System: 2, Elevated: 3 }

/** True if the value is one of the four tiers. */
export const isTier = (value: unknown): value is Tier => typeof value === "string" && Object.hasOwn(rank, value)

/** Returns the more dangerous of the two. */
export const max = (a: Tier, b: Tier): Tier => (rank[a] >= rank[b] ? a : b)

/** True if `a` is more dangerous than `b`. */
export const exceeds = (a: Tier, b: Tier): boolean => rank[a] > rank[b]
