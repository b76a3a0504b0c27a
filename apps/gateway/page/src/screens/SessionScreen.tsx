/** One session: its live conversation, its pending approvals, and its tree. */
import { dataOf, GatewayError } from "@bough/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useCallback, useMemo, useState } from "react"
import { Link } from "wouter"
import { navigate } from "wouter/use-hash-location"
import { gateway } from "../api/gateway.ts"
import { isOutage } from "../api/outage.ts"
import * as queries from "../api/queries.ts"
import { useLiveTree } from "../api/useLiveTree.ts"
import { useScope } from "../components/AccountContext.ts"
import { ApprovalCard } from "../components/ApprovalCard.tsx"
import { Composer } from "../components/Composer.tsx"
import { Icon } from "../components/Icon.tsx"
import { ModeChoice } from "../components/ModeChoice.tsx"
import { SessionContext } from "../components/SessionContext.ts"
import { SessionMenu } from "../components/SessionMenu.tsx"
import { Sheet } from "../components/Sheet.tsx"
import { SidePanel } from "../components/SidePanel.tsx"
import { StandingContext } from "../components/StandingContext.ts"
import { Thread } from "../components/Thread.tsx"
import { useTitle } from "../components/useTitle.ts"
import { count, dollars } from "../model/Figures.ts"
import * as Queue from "../model/Queue.ts"
import * as SessionList from "../model/SessionList.ts"
import * as TreeView from "../model/TreeView.ts"

export const SessionScreen = ({ sessionId }: { readonly sessionId: string }) => {
  const session = useQuery(queries.session(sessionId))
  const treeId = session.data?.treeId ?? null
  const live = useLiveTree(treeId, sessionId)
  const tree = useQuery({ ...queries.tree(treeId ?? sessionId), enabled: treeId !== null })
  const approvals = useQuery(queries.approvals())
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [queue, setQueue] = useState<ReadonlyArray<Queue.QueuedMessage>>([])
  useTitle(session.data === undefined ? "Session" : SessionList.titleOf(session.data))
  const canChat = useScope("chat")
  const canDecide = useScope("approve")
  const { conversation } = live
  const fork = useMutation({
    mutationFn: (throughSeq: number) =>
      dataOf(
        gateway.api.POST("/api/v1/sessions/{sessionId}/fork", { params: { path: { sessionId } }, body: { throughSeq } })
      ),
    onSuccess: ({ id }) => navigate(`/sessions/${encodeURIComponent(id)}`)
  })
  const onSent = useCallback((message: Queue.QueuedMessage) => setQueue((before) => [...before, message]), [])
  const onRefused = useCallback((key: string) => setQueue((before) => before.filter((one) => one.key !== key)), [])
  const waiting = useMemo(() => Queue.waitingMessages(queue, conversation.taken), [queue, conversation.taken])
  const sessions = useMemo(() => (tree.data === undefined ? [] : TreeView.sessionsOf(tree.data)), [tree.data])
  const standings = useMemo(
    () => new Map(sessions.map((one) => [one.sessionId, TreeView.statusLabel(one)])),
    [sessions]
  )
  const pending = (approvals.data?.items ?? []).filter(({ request }) => request.sessionPath.includes(sessionId))
  const usage = TreeView.withLiveChildren(conversation.usage, sessions, sessionId)
  const tokens = usage.inputTokens + usage.outputTokens
  // While the gateway cannot be reached, the conversation and a message that is being written stay on the screen.
  if (session.isError && (session.data === undefined || !isOutage(session.error))) {
    return (
      <section className="screen">
        <h1>Session</h1>
        <p className="error" role="alert">
          {isMissing(session.error)
            ? "This session does not exist, or it belongs to another user."
            : session.error.message}
        </p>
        <p>
          <Link href="/">Start a new session</Link>
        </p>
      </section>
    )
  }
  const panel = <SidePanel sessions={sessions} sessionId={sessionId} />
  return (
    <div className="session">
      <section className="conversation" aria-label="Session">
        <header className="session-header">
          <Path sessions={sessions} sessionId={sessionId} />
          <Connection state={live.connection} />
          <span className="facts">
            {conversation.model !== null && <span>{conversation.model}</span>}
            {/* Before the first reply is recorded, its usage is unknown, not zero. */}
            {tokens > 0 && <span>{count(tokens)} tokens</span>}
            {usage.costUsd !== 0 && <span>{dollars(usage.costUsd)}</span>}
          </span>
          <ModeChoice sessionId={sessionId} canChange={canDecide} />
          {session.data !== undefined && <SessionMenu session={session.data} canChange={canChat} />}
          <button
            className="button quiet panel-button"
            aria-label="Tree and details"
            onClick={() => setPanelOpen(true)}
          >
            <Icon name="panel" />
          </button>
        </header>
        <SessionContext value={sessionId}>
          <StandingContext value={standings}>
            <Thread
              items={conversation.items}
              queue={waiting}
              onFork={canChat ? fork.mutate : null}
              isWorking={conversation.isWorking}
            >
              {live.isLoading && <p className="muted">Loading…</p>}
              {live.error !== null && <p className="error">{live.error}</p>}
              {fork.error !== null && (
                <p className="error" role="alert">
                  {fork.error.message}
                </p>
              )}
              {conversation.failure !== null && (
                <p className="error" role="alert">
                  The turn failed: {conversation.failure}
                </p>
              )}
              {conversation.isWorking && pending.length === 0 && (
                <p className="working" role="status">
                  <span className="dot dot-live" /> Working…
                </p>
              )}
              <div aria-live="polite" className="cards">
                {pending.map((approval) => (
                  <ApprovalCard key={approval.request.approvalId} approval={approval} canDecide={canDecide} />
                ))}
              </div>
            </Thread>
          </StandingContext>
        </SessionContext>
        {canChat && (
          <Composer sessionId={sessionId} isWorking={conversation.isWorking} onSent={onSent} onRefused={onRefused} />
        )}
      </section>
      <aside className="panel" aria-label="Tree and details">
        {panel}
      </aside>
      <Sheet title="Tree and details" side="right" isOpen={isPanelOpen} onOpenChange={setPanelOpen}>
        {panel}
      </Sheet>
    </div>
  )
}

const isMissing = (error: Error): boolean => error instanceof GatewayError && error.status === 404

const Connection = ({ state }: { readonly state: "connecting" | "open" | "waiting" }) =>
  state === "open" ? (
    <span className="connection visually-hidden" role="status" data-connection={state}>
      Live
    </span>
  ) : (
    <span className="connection tag tag-wait" role="status" data-connection={state}>
      {state === "connecting" ? "Connecting…" : "Connection lost; trying again"}
    </span>
  )

interface PathProps {
  readonly sessions: ReadonlyArray<TreeView.TreeSession>
  readonly sessionId: string
}

/** Shows the path from the Main down to the session on screen. */
const Path = ({ sessionId, sessions }: PathProps) => {
  const path = TreeView.pathTo(sessions, sessionId)
  const shown = path.at(-1)
  return (
    <h1 className="session-path">
      {path.slice(0, -1).map((session) => (
        <span key={session.id}>
          <Link href={`/sessions/${encodeURIComponent(session.id)}`}>{SessionList.titleOf(session)}</Link>
          {" › "}
        </span>
      ))}
      {shown === undefined ? "Session" : SessionList.titleOf(shown)}
    </h1>
  )
}
