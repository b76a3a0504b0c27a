/** The sign-in by a token, by a one-time link that opens the page, or by the organisation's provider. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import * as account from "../api/account.ts"
import { useTitle } from "../components/useTitle.ts"

interface SignInProps {
  readonly error: Error | null
  readonly onSignedIn: (account: account.Account) => void
}

export const SignIn = ({ error, onSignedIn }: SignInProps) => {
  const [token, setToken] = useState("")
  useTitle("Sign in")
  const methods = useQuery({ queryKey: ["me", "methods"], queryFn: account.methods })
  const signIn = useMutation({ mutationFn: account.signInByToken, onSuccess: onSignedIn })
  const openId = useMutation({
    mutationFn: account.openIdUrl,
    onSuccess: (url) => location.assign(url)
  })
  const failure = signIn.error ?? openId.error ?? error
  return (
    <main className="sign-in">
      <h1>
        <img src={new URL("../icon.svg", import.meta.url).href} alt="" width="28" height="28" /> Bough
      </h1>
      <p>Open the one-time link that the operator gave you, or sign in with a token.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate(token.trim())
        }}
      >
        <label>
          Token
          <input
            type="password"
            name="token"
            autoComplete="current-password"
            autoFocus
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        <button className="button primary" disabled={token.trim() === "" || signIn.isPending}>
          Sign in
        </button>
      </form>
      {methods.data?.openid != null && (
        <button className="button" disabled={openId.isPending} onClick={() => openId.mutate()}>
          Sign in with {methods.data.openid.name}
        </button>
      )}
      {failure !== null && (
        <p className="error" role="alert">
          {failure.message}
        </p>
      )}
    </main>
  )
}
