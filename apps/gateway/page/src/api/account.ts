/** Who is signed in, and signing in and out. */
import { GatewayError } from "@bough/client"
import { get, post, setForgeryToken } from "./gateway.ts"

export interface Account {
  readonly csrf: string
  readonly tenant: string
  readonly user: string
  readonly scopes: ReadonlyArray<string>
  readonly expiresAtMillis: number | null
}

export interface SignInMethods {
  readonly openid: { readonly name: string } | null
}

const signedIn = (account: Account): Account => {
  setForgeryToken(account.csrf)
  return account
}

/** The account of this browser's cookie; null: nobody is signed in. */
export const me = (): Promise<Account | null> =>
  get<Account>("auth/me").then(signedIn, (error: unknown) => {
    if (error instanceof GatewayError && error.status === 401) return null
    throw error
  })

export const methods = (): Promise<SignInMethods> => get<SignInMethods>("auth/methods")

/** Signs in with the secret of a one-time link. */
export const signInByLink = (secret: string): Promise<Account> => post<Account>("auth/link", { secret }).then(signedIn)

/** Signs in with a bearer token. */
export const signInByToken = (token: string): Promise<Account> => post<Account>("auth/token", { token }).then(signedIn)

export const openIdUrl = async (): Promise<string> => (await post<{ readonly url: string }>("auth/openid")).url

export const signOut = (): Promise<unknown> => post("auth/sign-out")

const linkSecret = /^#?([\w-]{16,})$/u

/** Takes the secret of a one-time link out of the address, so that it stays in no history; null: there is none. */
export const takeLinkSecret = (): string | null => {
  if (!location.pathname.endsWith("/sign-in")) return null
  const secret = linkSecret.exec(location.hash)?.[1] ?? null
  history.replaceState(null, "", new URL(".", location.href))
  return secret
}
