/**
 * Who a rule is about: `@agent=reviewer`, `@channel=web`, `@kind=Branch` in its text. A rule that names none of them holds
 * for every session. A session below a Main speaks through the channel of its Main.
 */
import type { Session } from "@bough/protocol"
import type * as Schema from "effect/Schema"

export interface Caller {
  readonly agent: string
  /** Null: nobody can be asked, and nobody is told. */
  readonly channel: string | null
  readonly kind: Session.Kind
}

/** A field of a rule's text. */
interface Field {
  readonly name: string
  readonly value: Schema.Json
}

/** Each that is named must be the caller's. */
export interface Callers {
  readonly agent?: string
  readonly channel?: string
  readonly kind?: Session.Kind
}

const kinds: ReadonlyArray<string> = ["Main", "Branch", "Worker"] satisfies ReadonlyArray<Session.Kind>

const names = ["@agent", "@channel", "@kind"] as const

export const isCallerField = (name: string): boolean => name.startsWith("@")

/** Fails with what the fields do wrong, as the rest of a sentence. */
export const faultOf = ({ name, value }: Field): string | null => {
  if (!names.some((known) => known === name)) return `names "${name}", and there are ${names.join(", ")}`
  if (typeof value !== "string" || value === "") return `gives "${name}" no name`
  return name === "@kind" && !kinds.includes(value)
    ? `names the kind "${value}", and there are ${kinds.join(", ")}`
    : null
}

/** Undefined: the fields name no caller. They have no fault. */
export const fromFields = (fields: ReadonlyArray<Field>): Callers | undefined =>
  fields.length === 0 ? undefined : Object.fromEntries(fields.map(({ name, value }) => [name.slice(1), value]))

export const toFields = (callers: Callers): ReadonlyArray<Field> =>
  Object.entries(callers).map(([name, value]) => ({ name: `@${name}`, value }))

/** Whether the rule speaks of the caller. One that is not known is meant by every rule that narrows, and by none that allows. */
export const includes = (
  { callers, effect }: { readonly callers?: Callers; readonly effect: "allow" | "ask" | "deny" },
  caller: Caller | undefined
): boolean => {
  if (callers === undefined) return true
  if (caller === undefined) return effect !== "allow"
  const { agent = caller.agent, channel = caller.channel, kind = caller.kind } = callers
  return agent === caller.agent && channel === caller.channel && kind === caller.kind
}
