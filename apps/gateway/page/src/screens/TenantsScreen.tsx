/** Tenants with their users and quotas, for admins. */
import { useQuery } from "@tanstack/react-query"
import { useContext } from "react"
import * as queries from "../api/queries.ts"
import { AccountContext } from "../components/AccountContext.ts"
import { AddUser } from "../components/AddUser.tsx"
import { RemoveUser } from "../components/RemoveUser.tsx"
import { Screen } from "../components/Screen.tsx"
import * as QuotaText from "../model/QuotaText.ts"

export const TenantsScreen = () => {
  const tenants = useQuery(queries.tenants())
  return (
    <Screen title="Tenants" errors={[tenants.error]}>
      {tenants.data?.items.map(({ isOperator, name, tenant }) => (
        <section key={tenant} className="row" aria-label={`Tenant ${tenant}`}>
          <h2>
            {tenant} {name === tenant ? "" : `(${name})`} {isOperator && <span className="tag tag-good">operator</span>}
          </h2>
          <People tenant={tenant} />
          <AddUser tenant={tenant} />
        </section>
      ))}
    </Screen>
  )
}

const People = ({ tenant }: { readonly tenant: string }) => {
  const account = useContext(AccountContext)
  const users = useQuery(queries.users(tenant))
  const quotas = useQuery(queries.quotas(tenant))
  const error = users.error ?? quotas.error
  const isSelf = (user: string) => account?.tenant === tenant && account.user === user
  return (
    <>
      {error !== null && <p className="error">{error.message}</p>}
      <ul className="rows">
        {users.data?.items.map(({ scopes, user }) => (
          <li key={user} className="user-line">
            <span>
              {user} <span className="muted">{scopes.join(" · ")}</span>
            </span>
            {!isSelf(user) && <RemoveUser tenant={tenant} user={user} />}
          </li>
        ))}
      </ul>
      <ul className="facts">
        {quotas.data?.items.map((quota) => (
          <li key={quota.resource}>{QuotaText.format(quota)}</li>
        ))}
      </ul>
    </>
  )
}
