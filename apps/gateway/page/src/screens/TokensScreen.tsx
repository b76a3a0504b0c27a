/**
 * The user's tokens, cookies and links with their scopes. They can be revoked. The secret of a new token is shown once.
 */
import { dataOf } from "@bough/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useContext, useState } from "react"
import { gateway } from "../api/gateway.ts"
import * as queries from "../api/queries.ts"
import { AccountContext } from "../components/AccountContext.ts"
import { Screen } from "../components/Screen.tsx"
import { useNow } from "../components/useNow.ts"
import { ago } from "../model/Figures.ts"

/** A day in seconds. */
const day = 24 * 60 * 60

export const TokensScreen = () => {
  const account = useContext(AccountContext)
  const tokens = useQuery(queries.tokens())
  const client = useQueryClient()
  const now = useNow()
  const [label, setLabel] = useState("")
  const onSettled = () => client.invalidateQueries({ queryKey: ["tokens"] })
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        gateway.api.POST("/api/v1/tokens", {
          body: { label, scopes: account?.scopes ?? [], lifetimeSeconds: 90 * day }
        })
      ),
    onSuccess: () => setLabel(""),
    onSettled
  })
  const revoke = useMutation({
    mutationFn: (tokenId: string) =>
      dataOf(gateway.api.DELETE("/api/v1/tokens/{tokenId}", { params: { path: { tokenId } } })),
    onSettled
  })
  return (
    <Screen title="Tokens" errors={[tokens.error, create.error, revoke.error]}>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <label>
          <span className="visually-hidden">Name of the new token</span>
          <input placeholder="Name of a new token" value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <button className="button primary" disabled={label.trim() === "" || create.isPending}>
          Create
        </button>
      </form>
      {create.data !== undefined && (
        <div className="row" role="status">
          <p>The token is valid for 90 days and is not shown again:</p>
          <pre className="rule">{create.data.secret}</pre>
        </div>
      )}
      <ul className="rows">
        {tokens.data?.items.map((token) => (
          <li key={token.tokenId} className="row row-line">
            <span>
              <strong>{token.label === "" ? token.kind : token.label}</strong>{" "}
              <span className="muted">
                {token.scopes.join(" · ")} · made {ago(now - token.createdAtMillis)}
                {token.lastUsedAtMillis === null ? "" : ` · used ${ago(now - token.lastUsedAtMillis)}`}
              </span>
            </span>
            <span className="tag">{token.kind}</span>
            <button className="button quiet" disabled={revoke.isPending} onClick={() => revoke.mutate(token.tokenId)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  )
}
