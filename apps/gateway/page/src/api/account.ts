/** Who is signed in, and signing in and out. */
import { dataOf, GatewayError, type SignedIn, type SignInMethods } from "@bough/client"
import { gateway, setForgeryToken } from "./gateway.ts"

export type Account = SignedIn

const { api } = gateway

const signedIn = (account: Account): Account => {
  setForgeryToken(account.csrf ?? "")
  return account
}

/** The account of this browser's cookie; null: nobody is signed in. */
export const me = (): Promise<Account | null> =>
  dataOf(api.GET("/auth/me")).then(signedIn, (error: unknown) => {
    if (error instanceof GatewayError && error.status === 401) return null
    throw error
  })

export const methods = (): Promise<SignInMethods> => dataOf(api.GET("/auth/methods"))

/** Signs in with the secret of a one-time link. */
export const signInByLink = (secret: string): Promise<Account> =>
  dataOf(api.POST("/auth/link", { body: { secret } })).then(signedIn)

/** Signs in with a bearer token. */
export const signInByToken = (token: string): Promise<Account> =>
  dataOf(api.POST("/auth/token", { body: { token } })).then(signedIn)

export const openIdUrl = async (): Promise<string> => (await dataOf(api.POST("/auth/openid"))).url

export const signOut = (): Promise<unknown> => dataOf(api.POST("/auth/sign-out"))

const linkSecret = /^#([\w.~-]{16,})$/u

/** Takes the secret of a one-time link out of the address, so that it stays in no history; null: there is none. */
export const takeLinkSecret = (): string | null => {
  if (!location.pathname.endsWith("/sign-in")) return null
  const secret = linkSecret.exec(location.hash)?.[1] ?? null
  history.replaceState(null, "", new URL(".", location.href))
  return secret
}
