/** Draws attention to pending approvals: as a badge of the installed page, and as a notification. */
import type { Approval } from "@bough/client"
import { useEffect, useRef } from "react"

export const useAttention = (approvals: ReadonlyArray<Approval>): void => {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    const count = approvals.length
    if ("setAppBadge" in navigator) void navigator.setAppBadge(count).catch(() => {})
    const added = approvals.filter(({ request }) => known.current?.has(request.approvalId) === false)
    known.current = new Set(approvals.map(({ request }) => request.approvalId))
    if (!("Notification" in globalThis) || Notification.permission !== "granted" || !document.hidden) return
    for (const { askedBy, request } of added) {
      const notification = new Notification(`Approve ${request.tool}?`, {
        body: askedBy.map(({ title }) => title).join(" › "),
        tag: request.approvalId
      })
      notification.addEventListener("click", () => {
        window.focus()
        location.hash = "#/approvals"
      })
    }
  }, [approvals])
}
