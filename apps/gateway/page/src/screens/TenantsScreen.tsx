/** Tenants with their users and quotas, for admins. */
import { useQuery } from "@tanstack/react-query"
import { useContext } from "react"
import * as queries from "../api/queries.ts"
import { AccountContext } from "../components/AccountContext.ts"
import { AddTenant } from "../components/AddTenant.tsx"
import { AddUser } from "../components/AddUser.tsx"
import { ChangeQuotas } from "../components/ChangeQuotas.tsx"
import { RemoveUser } from "../components/RemoveUser.tsx"
import { Screen } from "../components/Screen.tsx"
import * as QuotaText from "../model/QuotaText.ts"

export const TenantsScreen = () => {
  const account = useContext(AccountContext)
  const tenants = useQuery(queries.tenants())
  const items = tenants.data?.items ?? []
  // For other admins, the server responds that only operators may do this.
  const isOperator = items.some(({ isOperator, tenant }) => isOperator && tenant === account?.tenant)
  return (
    <Screen title="Tenants" reads={[tenants]}>
      {isOperator && <AddTenant />}
      {items.map(({ isOperator: isOfOperators, name, tenant }) => (
        <section key={tenant} className="row" aria-label={`Tenant ${tenant}`}>
          <h2>
            {tenant} {name === tenant ? "" : `(${name})`}{" "}
            {isOfOperators && <span className="tag tag-good">operator</span>}
          </h2>
          <People tenant={tenant} />
          <AddUser tenant={tenant} />
          <TenantQuotas tenant={tenant} canChange={isOperator} />
        </section>
      ))}
    </Screen>
  )
}

const People = ({ tenant }: { readonly tenant: string }) => {
  const account = useContext(AccountContext)
  const users = useQuery(queries.users(tenant))
  const isSelf = (user: string) => account?.tenant === tenant && account.user === user
  return (
    <>
      {users.error !== null && <p className="error">{users.error.message}</p>}
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
    </>
  )
}

const TenantQuotas = ({ canChange, tenant }: { readonly tenant: string; readonly canChange: boolean }) => {
  const quotas = useQuery(queries.quotas(tenant))
  const items = quotas.data?.items ?? []
  return (
    <>
      {quotas.error !== null && <p className="error">{quotas.error.message}</p>}
      <ul className="facts">
        {items.map((quota) => (
          <li key={quota.resource}>{QuotaText.format(quota)}</li>
        ))}
      </ul>
      {canChange && items.length > 0 && <ChangeQuotas tenant={tenant} quotas={items} />}
    </>
  )
}
