/**
 * The user's tokens, cookies and links with their scopes. They can be revoked. The secret of a new token is shown once.
 */
import { dataOf } from "@bough/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useContext, useState } from "react"
import { gateway } from "../api/gateway.ts"
import * as queries from "../api/queries.ts"
import { AccountContext } from "../components/AccountContext.ts"
import { NamedScopesForm } from "../components/NamedScopesForm.tsx"
import { Screen } from "../components/Screen.tsx"
import { useNow } from "../components/useNow.ts"
import { age, ago } from "../model/Figures.ts"
import * as Scopes from "../model/Scopes.ts"

/** A day in seconds. */
const day = 24 * 60 * 60

/** The lifetimes to choose from, in days; 0: the token does not expire. */
const lifetimes = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "a year"],
  [0, "no expiry"]
] as const

export const TokensScreen = () => {
  const ownScopes = useContext(AccountContext)?.scopes ?? []
  const tokens = useQuery(queries.tokens())
  const client = useQueryClient()
  const now = useNow()
  const [value, setValue] = useState(() => ({ name: "", scopes: Scopes.initial(ownScopes) }))
  const [days, setDays] = useState(30)
  const onSettled = () => client.invalidateQueries({ queryKey: ["tokens"] })
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        gateway.api.POST("/api/v1/tokens", {
          body: {
            label: value.name.trim(),
            scopes: [...value.scopes],
            lifetimeSeconds: days === 0 ? null : days * day
          }
        })
      ),
    onSuccess: () => setValue({ ...value, name: "" }),
    onSettled
  })
  const revoke = useMutation({
    mutationFn: (tokenId: string) =>
      dataOf(gateway.api.DELETE("/api/v1/tokens/{tokenId}", { params: { path: { tokenId } } })),
    onSettled
  })
  return (
    <Screen title="Tokens" reads={[tokens]} errors={[create.error, revoke.error]}>
      <NamedScopesForm
        label="Name of the new token"
        placeholder="Name of a new token"
        legend="Scopes of the new token"
        action="Create"
        held={ownScopes}
        value={value}
        isPending={create.isPending}
        onChange={setValue}
        onSubmit={() => create.mutate()}
      >
        <select aria-label="Lifetime" value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {lifetimes.map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </select>
      </NamedScopesForm>
      {create.data !== undefined && (
        <div className="row" role="status">
          <p>The token is not shown again:</p>
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
                {token.expiresAtMillis === null
                  ? " · does not expire"
                  : ` · expires in ${age(token.expiresAtMillis - now).replace("now", "less than a minute")}`}
              </span>
            </span>
            <span className="tag">{token.kind}</span>
            <button
              className="button quiet"
              aria-label={`Revoke ${token.label === "" ? token.kind : token.label}`}
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(token.tokenId)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  )
}
