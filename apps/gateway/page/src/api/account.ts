/** The signed-in user, signing in and signing out. */
import { dataOf, GatewayError, type SignedIn, type SignInMethods } from "@bough/client"
import { gateway, setForgeryToken } from "./gateway.ts"

export type Account = SignedIn

const { api } = gateway

/** Set while this browser may have a cookie, which scripts cannot see. */
const mark = "signed in"

const signedIn = (account: Account): Account => {
  localStorage.setItem(mark, "")
  setForgeryToken(account.csrf ?? "")
  return account
}

const signedOut = (): null => {
  localStorage.removeItem(mark)
  return null
}

/** Returns the account of this browser's cookie; null: there is no valid cookie. */
export const currentAccount = (): Promise<Account | null> =>
  localStorage.getItem(mark) === null
    ? Promise.resolve(null)
    : dataOf(api.GET("/auth/me")).then(signedIn, (error: unknown) => {
        if (error instanceof GatewayError && error.status === 401) return signedOut()
        throw error
      })

export const methods = (): Promise<SignInMethods> => dataOf(api.GET("/auth/methods"))

/** Signs in with the secret of a one-time link. */
export const signInByLink = (secret: string): Promise<Account> =>
  dataOf(api.POST("/auth/link", { body: { secret } })).then(signedIn)

/** Signs in with a bearer token. */
export const signInByToken = (token: string): Promise<Account> =>
  dataOf(api.POST("/auth/token", { body: { token } })).then(signedIn)

/** Begins a sign-in at the provider, which redirects to this page with a cookie. */
export const openIdUrl = async (): Promise<string> => {
  const { url } = await dataOf(api.POST("/auth/openid"))
  localStorage.setItem(mark, "")
  return url
}

export const signOut = (): Promise<unknown> => dataOf(api.POST("/auth/sign-out")).finally(signedOut)

const linkSecret = /^#([\w.~-]{16,})$/u

/**
 * Removes the secret of a one-time link from the address, so that it is not stored in a history, and returns the
 * secret; null: there is none.
 */
export const takeLinkSecret = (): string | null => {
  if (!location.pathname.endsWith("/sign-in")) return null
  const secret = linkSecret.exec(location.hash)?.[1] ?? null
  history.replaceState(null, "", new URL(".", location.href))
  return secret
}
