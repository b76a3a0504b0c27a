/** Rules that the user gave with approvals, which the user can revoke. */
import { dataOf } from "@bough/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { gateway } from "../api/gateway.ts"
import * as queries from "../api/queries.ts"
import { useScope } from "../components/AccountContext.ts"
import { Screen } from "../components/Screen.tsx"

export const RulesScreen = () => {
  const rules = useQuery(queries.rules())
  const client = useQueryClient()
  const canRevoke = useScope("approve")
  const remove = useMutation({
    mutationFn: (ruleId: string) =>
      dataOf(gateway.api.DELETE("/api/v1/rules/{ruleId}", { params: { path: { ruleId } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["rules"] })
  })
  return (
    <Screen title="Rules" reads={[rules]} errors={[remove.error]}>
      <p className="muted">
        Calls that a rule fits run without an approval. Rules for a single session are not listed here.
      </p>
      {rules.isSuccess && rules.data.items.length === 0 && <p className="muted">No rule is saved.</p>}
      <ul className="rows">
        {rules.data?.items.map(({ id, rule, scope }) => (
          <li key={id} className="row row-line">
            <code>{rule}</code>
            <span className="tag">{scope === "user" ? "all sessions" : "one workspace"}</span>
            {canRevoke && (
              <button
                className="button quiet"
                aria-label={`Revoke ${rule}`}
                disabled={remove.isPending}
                onClick={() => remove.mutate(id)}
              >
                Revoke
              </button>
            )}
          </li>
        ))}
      </ul>
    </Screen>
  )
}
