/** The administrative acts of each tenant, the newest first, for admins. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useContext, useState } from "react"
import * as queries from "../api/queries.ts"
import { AccountContext } from "../components/AccountContext.ts"
import { Screen } from "../components/Screen.tsx"
import { actorText } from "../model/AuditText.ts"

export const AuditScreen = () => {
  const account = useContext(AccountContext)
  const tenants = useQuery(queries.tenants())
  const [chosen, setChosen] = useState<string | null>(null)
  const names = tenants.data?.items.map(({ tenant }) => tenant) ?? []
  const tenant = chosen ?? account?.tenant ?? ""
  const audit = useInfiniteQuery(queries.audit(tenant))
  const records = audit.data?.pages.flatMap(({ items }) => items) ?? []
  const choice = names.length > 1 && (
    <label className="inline-form">
      Tenant
      <select value={tenant} onChange={(event) => setChosen(event.target.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
  return (
    <Screen title="Audit log" reads={[tenants, audit]} actions={choice}>
      <p className="muted">People, credentials and quotas that were changed, sign-ins, and access that was denied.</p>
      {audit.isSuccess && records.length === 0 && <p className="muted">There are no records for this tenant.</p>}
      <ul className="rows">
        {records.map(({ action, actor, atMillis, detail, seq, subject }) => (
          <li key={seq} className="row audit">
            <p>
              <code>{action}</code> {subject}
              {detail !== "" && <span className="muted"> {detail}</span>}
            </p>
            <p className="muted">
              <time dateTime={new Date(atMillis).toISOString()}>{new Date(atMillis).toLocaleString()}</time> ·{" "}
              {actorText(actor)}
            </p>
          </li>
        ))}
      </ul>
      {audit.hasNextPage && (
        <button className="button" disabled={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          Older
        </button>
      )}
    </Screen>
  )
}
