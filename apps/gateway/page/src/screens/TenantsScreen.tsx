/** Tenants with their users and quotas, for admins. */
import { useQuery } from "@tanstack/react-query"
import * as queries from "../api/queries.ts"
import { Screen } from "../components/Screen.tsx"

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
        </section>
      ))}
    </Screen>
  )
}

const People = ({ tenant }: { readonly tenant: string }) => {
  const users = useQuery(queries.users(tenant))
  const quotas = useQuery(queries.quotas(tenant))
  return (
    <>
      {(users.error ?? quotas.error) !== null && <p className="error">{(users.error ?? quotas.error)?.message}</p>}
      <ul className="rows">
        {users.data?.items.map(({ scopes, user }) => (
          <li key={user}>
            {user} <span className="muted">{scopes.join(" · ")}</span>
          </li>
        ))}
      </ul>
      <ul className="facts">
        {quotas.data?.items.map(({ limit, resource, used }) => (
          <li key={resource}>
            {resource}: {used}
            {limit === null ? "" : ` of ${limit}`}
          </li>
        ))}
      </ul>
    </>
  )
}
