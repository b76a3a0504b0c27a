/** Every call that waits for the user, oldest first. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useParams } from "wouter"
import * as queries from "../api/queries.ts"
import { useScope } from "../components/AccountContext.ts"
import { ApprovalCard } from "../components/ApprovalCard.tsx"
import { Icon } from "../components/Icon.tsx"
import { Screen } from "../components/Screen.tsx"

export const ApprovalsScreen = () => {
  const approvals = useQuery(queries.approvals())
  const canDecide = useScope("approve")
  const { id } = useParams<{ readonly id?: string }>()
  const linkedId = id === undefined ? null : decodeURIComponent(id)
  const isKnown = approvals.data?.items.some(({ request }) => request.approvalId === linkedId) ?? false
  return (
    <Screen title="Approvals" reads={[approvals]} actions={<NotifyButton />}>
      {approvals.isSuccess && approvals.data.items.length === 0 && <p className="muted">No call waits for you.</p>}
      {approvals.isSuccess && linkedId !== null && !isKnown && (
        <p role="status">The approval of this link is decided or has expired.</p>
      )}
      <div aria-live="polite" className="cards">
        {approvals.data?.items.map((approval) => (
          <ApprovalCard
            key={approval.request.approvalId}
            approval={approval}
            canDecide={canDecide}
            isMarked={approval.request.approvalId === linkedId}
          />
        ))}
      </div>
    </Screen>
  )
}

const NotifyButton = () => {
  const isKnown = "Notification" in globalThis
  const [permission, setPermission] = useState(isKnown ? Notification.permission : "denied")
  return permission === "default" ? (
    <button className="button" onClick={() => void Notification.requestPermission().then(setPermission)}>
      <Icon name="bell" /> Notify me
    </button>
  ) : null
}
