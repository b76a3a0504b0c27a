/** Removes a user after a second click: the user's tokens and sign-ins end at once, and the id is never reused. */
import { dataOf } from "@bough/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { gateway } from "../api/gateway.ts"

interface RemoveUserProps {
  readonly tenant: string
  readonly user: string
}

export const RemoveUser = ({ tenant, user }: RemoveUserProps) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () =>
      dataOf(gateway.api.DELETE("/api/v1/tenants/{tenant}/users/{user}", { params: { path: { tenant, user } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["users", tenant] })
  })
  if (remove.error !== null) return <span className="error">{remove.error.message}</span>
  return isAsking ? (
    <span className="actions">
      <button className="button danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
        Remove {user} for good
      </button>
      <button className="button quiet" onClick={() => setAsking(false)}>
        Back
      </button>
    </span>
  ) : (
    <button className="button quiet" aria-label={`Remove ${user}…`} onClick={() => setAsking(true)}>
      Remove…
    </button>
  )
}
