/** Changes the quotas of a tenant, for operators. An empty field removes the limit. */
import { dataOf, type QuotaUsage } from "@bough/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { gateway } from "../api/gateway.ts"
import * as QuotaFields from "../model/QuotaFields.ts"

interface ChangeQuotasProps {
  readonly tenant: string
  readonly quotas: ReadonlyArray<QuotaUsage>
}

export const ChangeQuotas = ({ quotas, tenant }: ChangeQuotasProps) => {
  const client = useQueryClient()
  const [drafts, setDrafts] = useState<QuotaFields.Drafts>({})
  const save = useMutation({
    mutationFn: (body: QuotaFields.Limits) =>
      dataOf(gateway.api.PATCH("/api/v1/tenants/{tenant}/quotas", { params: { path: { tenant } }, body })),
    onSuccess: () => setDrafts({}),
    onSettled: () => client.invalidateQueries({ queryKey: ["quotas", tenant] })
  })
  const limits = QuotaFields.toLimits(drafts)
  return (
    <details className="add-user">
      <summary>Change the quotas</summary>
      <form
        className="token-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (limits !== null) save.mutate(limits)
        }}
      >
        <div className="quota-fields">
          {quotas.map(({ limit, resource }) => (
            <label key={resource}>
              {QuotaFields.labels[resource]}
              <input
                inputMode="decimal"
                placeholder="no limit"
                value={drafts[resource] ?? QuotaFields.fromLimit(resource, limit)}
                aria-invalid={QuotaFields.toLimits({ [resource]: drafts[resource] ?? "" }) === null}
                onChange={(event) => setDrafts({ ...drafts, [resource]: event.target.value })}
              />
            </label>
          ))}
        </div>
        <div className="actions">
          <button
            className="button primary"
            disabled={limits === null || Object.keys(drafts).length === 0 || save.isPending}
          >
            Save the quotas
          </button>
        </div>
      </form>
      {save.error !== null && (
        <p className="error" role="alert">
          {save.error.message}
        </p>
      )}
    </details>
  )
}
