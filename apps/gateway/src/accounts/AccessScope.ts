/** The scopes of a credential. They are independent: none implies another. */
import { Authorization } from "@bough/gateway-api"

export const AccessScope = Authorization.Scope
export type AccessScope = Authorization.Scope

export const all: ReadonlyArray<AccessScope> = AccessScope.literals

/** Returns the scopes in their fixed order, without duplicates. */
export const sortScopes = (scopes: Iterable<AccessScope>): ReadonlyArray<AccessScope> => {
  const members = new Set(scopes)
  return all.filter((scope) => members.has(scope))
}

export const toText = (scopes: Iterable<AccessScope>): string => sortScopes(scopes).join(" ")

/** Drops unknown words, so that a row of a later version grants no new scope here. */
export const fromText = (text: string): ReadonlyArray<AccessScope> => {
  const words = new Set(text.split(" "))
  return all.filter((scope) => words.has(scope))
}

export const intersection = (left: Iterable<AccessScope>, right: Iterable<AccessScope>): ReadonlyArray<AccessScope> => {
  const otherScopes = new Set(right)
  return sortScopes(left).filter((scope) => otherScopes.has(scope))
}
