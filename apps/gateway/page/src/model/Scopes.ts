/** The scopes of tokens as users choose them. Pure. */
import type { Account } from "../api/account.ts"

export type Scope = Account["scopes"][number]

export const meanings: Readonly<Record<Scope, string>> = {
  read: "read sessions and their events",
  chat: "create sessions and send messages",
  approve: "decide approvals",
  admin: "manage users and tokens"
}

export const all: ReadonlyArray<Scope> = ["read", "chat", "approve", "admin"]

/** Returns the scopes that a new token has unless the user chooses others: no right to decide or to manage. */
export const initial = (ownScopes: ReadonlyArray<Scope>): ReadonlyArray<Scope> =>
  ownScopes.filter((scope) => scope === "read" || scope === "chat")

/** Adds or removes a scope, in the fixed order of scopes. */
export const toggle = (
  ownScopes: ReadonlyArray<Scope>,
  chosen: ReadonlyArray<Scope>,
  scope: Scope
): ReadonlyArray<Scope> => ownScopes.filter((one) => (one === scope ? !chosen.includes(one) : chosen.includes(one)))
