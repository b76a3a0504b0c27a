/**
 * The callers and tiers that a rule applies to, written as `@agent=reviewer`, `@channel=web`, `@kind=Branch` and
 * `@tier=System` in its text. A rule that names none applies to every session. A descendant of a Main uses the channel
 * of its Main.
 */
import { type Session, Tier } from "@bough/protocol"
import type * as Schema from "effect/Schema"

export interface Caller {
  readonly agent: string
  /** Null: the session has no channel, so users cannot be asked or notified. */
  readonly channel: string | null
  readonly kind: Session.Kind
}

/** A field of a rule's text. */
interface Field {
  readonly name: string
  readonly value: Schema.Json
}

/**
 * True if every named field matches the caller. `@tier` means this tier and higher ones in an ask or a deny, and this
 * tier and lower ones in an allow.
 */
export interface Callers {
  readonly agent?: string
  readonly channel?: string
  readonly kind?: Session.Kind
  readonly tier?: Tier.Tier
}

const kinds: ReadonlyArray<string> = ["Main", "Branch", "Worker"] satisfies ReadonlyArray<Session.Kind>

const names = ["@agent", "@channel", "@kind", "@tier"] as const

export const isCallerField = (name: string): boolean => name.startsWith("@")

/** Fails with the fault of the fields, as the rest of a sentence. */
export const faultOf = ({ name, value }: Field): string | null => {
  if (!names.some((known) => known === name))
    return `has the unknown field "${name}"; the fields with @ are ${names.join(", ")}`
  if (typeof value !== "string" || value === "") return `has no value for "${name}"`
  if (name === "@tier" && !Tier.isTier(value)) {
    return `names the unknown tier "${value}"; the tiers are ReadOnly, Workspace, System, Elevated`
  }
  return name === "@kind" && !kinds.includes(value)
    ? `names the unknown kind "${value}"; the kinds are ${kinds.join(", ")}`
    : null
}

/** Undefined: the fields name no caller. The fields are valid. */
export const fromFields = (fields: ReadonlyArray<Field>): Callers | undefined =>
  fields.length === 0 ? undefined : Object.fromEntries(fields.map(({ name, value }) => [name.slice(1), value]))

export const toFields = (callers: Callers): ReadonlyArray<Field> =>
  Object.entries(callers).map(([name, value]) => ({ name: `@${name}`, value }))

/** Facts about a call that are not in its arguments; an absent fact is unknown. */
export interface KnownCaller {
  readonly caller?: Caller
  readonly tier?: Tier.Tier
}

/** True if the rule applies to the call. An unknown fact satisfies every ask and deny, and no allow. */
export const includes = (
  { callers, effect }: { readonly callers?: Callers; readonly effect: "allow" | "ask" | "deny" },
  { caller, tier }: KnownCaller
): boolean => {
  if (callers === undefined) return true
  const isMeant = effect !== "allow"
  return isCaller(callers, caller, isMeant) && isTier(callers.tier, tier, isMeant)
}

const isCaller = (callers: Callers, caller: Caller | undefined, ifUnknown: boolean): boolean => {
  const { agent, channel, kind } = callers
  if (agent === undefined && channel === undefined && kind === undefined) return true
  if (caller === undefined) return ifUnknown
  return (
    (agent ?? caller.agent) === caller.agent &&
    (channel === undefined || channel === caller.channel) &&
    (kind ?? caller.kind) === caller.kind
  )
}

const isTier = (named: Tier.Tier | undefined, tier: Tier.Tier | undefined, narrows: boolean): boolean => {
  if (named === undefined || named === tier) return true
  if (tier === undefined) return narrows
  return narrows ? Tier.exceeds(tier, named) : Tier.exceeds(named, tier)
}
