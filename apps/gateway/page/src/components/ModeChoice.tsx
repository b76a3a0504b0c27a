/** The mode of a session and its descendants: what its agent may change without an approval. */
import { dataOf } from "@bough/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { gateway } from "../api/gateway.ts"
import * as queries from "../api/queries.ts"

const modes = {
  auto: "the rules decide",
  ask: "every change needs an approval",
  plan: "nothing is changed; the agent proposes a plan"
} as const

type Mode = keyof typeof modes

const isMode = (text: string): text is Mode => Object.hasOwn(modes, text)

interface ModeChoiceProps {
  readonly sessionId: string
  readonly canChange: boolean
}

export const ModeChoice = ({ canChange, sessionId }: ModeChoiceProps) => {
  const client = useQueryClient()
  const { queryKey } = queries.mode(sessionId)
  const mode = useQuery(queries.mode(sessionId)).data?.mode
  const change = useMutation({
    mutationFn: (next: Mode) =>
      dataOf(
        gateway.api.PUT("/api/v1/sessions/{sessionId}/mode", {
          params: { path: { sessionId } },
          body: { mode: next }
        })
      ),
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
    onError: () => client.invalidateQueries({ queryKey })
  })
  if (mode === undefined || (!canChange && mode === "auto")) return null
  const shown = change.isPending ? change.variables : mode
  if (!canChange) return <span className="tag tag-plain">{shown} mode</span>
  return (
    <>
      {change.error !== null && (
        <span className="error" role="alert">
          {change.error.message}
        </span>
      )}
      <label className="mode-choice">
        <span className="visually-hidden">Mode</span>
        <select
          value={shown}
          title={modes[shown]}
          disabled={change.isPending}
          onChange={({ target: { value } }) => isMode(value) && change.mutate(value)}
        >
          {Object.entries(modes).map(([name, effect]) => (
            <option key={name} value={name} title={effect}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
