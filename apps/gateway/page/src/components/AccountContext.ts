/** Provides the signed-in account to all components. */
import { createContext, useContext } from "react"
import type { Account } from "../api/account.ts"

export const AccountContext = createContext<Account | null>(null)

/** Returns true if the account has the scope. */
export const useScope = (scope: Account["scopes"][number]): boolean =>
  useContext(AccountContext)?.scopes.includes(scope) ?? false
