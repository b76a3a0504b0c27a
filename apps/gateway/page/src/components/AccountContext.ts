/** The account that is signed in, for every component. */
import { createContext, useContext } from "react"
import type { Account } from "../api/account.ts"

export const AccountContext = createContext<Account | null>(null)

/** True if the account has the scope. */
export const useScope = (scope: Account["scopes"][number]): boolean =>
  useContext(AccountContext)?.scopes.includes(scope) ?? false
