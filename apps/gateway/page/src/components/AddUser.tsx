/** Adds a user to a tenant, and shows the link that signs the person in once. */
import { dataOf } from "@bough/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { baseUrl, gateway } from "../api/gateway.ts"
import * as Scopes from "../model/Scopes.ts"
import { ScopeBoxes } from "./ScopeBoxes.tsx"

/** The usual scopes of a user, who works here and decides on the calls of their own agents. */
const usual: ReadonlyArray<Scopes.Scope> = ["read", "chat", "approve"]

export const AddUser = ({ tenant }: { readonly tenant: string }) => {
  const client = useQueryClient()
  const [user, setUser] = useState("")
  const [scopes, setScopes] = useState(usual)
  const add = useMutation({
    mutationFn: () =>
      dataOf(
        gateway.api.POST("/api/v1/tenants/{tenant}/users", {
          params: { path: { tenant } },
          body: { user: user.trim(), name: user.trim(), scopes: [...scopes] }
        })
      ),
    onSuccess: () => setUser(""),
    onSettled: () => client.invalidateQueries({ queryKey: ["users", tenant] })
  })
  return (
    <details className="add-user">
      <summary>Add a user</summary>
      <form
        className="token-form"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <div className="inline-form">
          <label>
            <span className="visually-hidden">Id of the new user in {tenant}</span>
            <input
              placeholder="Id: lower-case letters, digits, dots, dashes, underscores"
              value={user}
              onChange={(event) => setUser(event.target.value)}
            />
          </label>
          <button className="button primary" disabled={user.trim() === "" || scopes.length === 0 || add.isPending}>
            Add
          </button>
        </div>
        <ScopeBoxes legend="Scopes of the new user" held={Scopes.all} chosen={scopes} onChange={setScopes} />
      </form>
      {add.error !== null && (
        <p className="error" role="alert">
          {add.error.message}
        </p>
      )}
      {add.data !== undefined && (
        <div role="status">
          <p>This link signs {add.data.user.user} in once, within a week, and is not shown again:</p>
          <pre className="rule">{new URL(`sign-in#${add.data.link.secret}`, baseUrl).href}</pre>
        </div>
      )}
    </details>
  )
}
