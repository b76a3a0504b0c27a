/**
 * Guards of parsed JSON, as plain functions. A reply has an event for every few letters, and a schema takes many times
 * as long for each.
 */
export type Guard<A> = (value: unknown) => value is A

/** The type that a guard accepts. */
export type GuardedType<G> = G extends Guard<infer A> ? A : never

export const isString = (value: unknown): value is string => typeof value === "string"

export const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)

/** Accepts every value, and a member that is absent. */
export const isAny = (_value: unknown): _value is unknown => true

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Accepts an absent value as well. */
export const nullish =
  <A>(guard: Guard<A>): Guard<A | null | undefined> =>
  (value): value is A | null | undefined =>
    value === undefined || value === null || guard(value)

export const list =
  <A>(guard: Guard<A>): Guard<ReadonlyArray<A>> =>
  (value): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.every(guard)

/** Accepts an object with these members; it may have others. A member that may be absent is `nullish`. */
export const record = <Members extends Readonly<Record<string, Guard<unknown>>>>(
  members: Members
): Guard<{ readonly [Name in keyof Members]: GuardedType<Members[Name]> }> => {
  const names = Object.keys(members)
  const guards = Object.values(members)
  return (value): value is { readonly [Name in keyof Members]: GuardedType<Members[Name]> } => {
    if (!isObject(value)) return false
    for (let at = 0; at < names.length; at++) if (!guards[at](value[names[at]])) return false
    return true
  }
}
