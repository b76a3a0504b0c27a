/** Adds a user to a tenant, and shows the link that signs the person in once. */
import { dataOf } from "@bough/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { baseUrl, gateway } from "../api/gateway.ts"
import * as Scopes from "../model/Scopes.ts"
import { type NamedScopes, NamedScopesForm } from "./NamedScopesForm.tsx"

/** The scopes that a person needs to work here and to decide on the calls of their own agents. */
const usual: NamedScopes = { name: "", scopes: ["read", "chat", "approve"] }

export const AddUser = ({ tenant }: { readonly tenant: string }) => {
  const client = useQueryClient()
  const [value, setValue] = useState(usual)
  const add = useMutation({
    mutationFn: () =>
      dataOf(
        gateway.api.POST("/api/v1/tenants/{tenant}/users", {
          params: { path: { tenant } },
          body: { user: value.name.trim(), name: value.name.trim(), scopes: [...value.scopes] }
        })
      ),
    onSuccess: () => setValue({ ...value, name: "" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["users", tenant] })
  })
  return (
    <details className="add-user">
      <summary>Add a user</summary>
      <NamedScopesForm
        label={`Id of the new user in ${tenant}`}
        placeholder="Id: lower-case letters, digits, dots, dashes, underscores"
        legend="Scopes of the new user"
        action="Add"
        held={Scopes.all}
        value={value}
        isPending={add.isPending}
        onChange={setValue}
        onSubmit={() => add.mutate()}
      />
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
