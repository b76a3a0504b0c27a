/** The rows of the sidebar: sessions with their state, and messages that match the search. */
import type { Session } from "@bough/client"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { Link, useLocation } from "wouter"
import * as queries from "../api/queries.ts"
import { age } from "../model/Figures.ts"
import * as SessionList from "../model/SessionList.ts"
import { useNow } from "./useNow.ts"
import { useSettled } from "./useSettled.ts"

interface SessionRowsProps {
  readonly search: string
  readonly isArchive: boolean
  readonly onNavigate: (() => void) | undefined
}

export const SessionRows = ({ isArchive, onNavigate, search }: SessionRowsProps) => {
  const archived = isArchive ? "true" : "false"
  const sessions = useInfiniteQuery(queries.sessionPages(archived))
  const approvals = useQuery(queries.approvals())
  const found = useQuery(queries.searchResults(useSettled(search.trim()), archived))
  const [location] = useLocation()
  const now = useNow()
  const asking = useMemo(
    () => new Set(approvals.data?.items.map(({ request }) => request.sessionPath[0])),
    [approvals.data]
  )
  const listed = useMemo(() => {
    const items = sessions.data?.pages.flatMap((page) => page.items) ?? []
    return SessionList.merge(SessionList.search(items, search), found.data?.titled ?? [])
  }, [sessions.data, found.data, search])
  const excerpts = found.data?.said ?? []
  const isEmpty = sessions.isSuccess && listed.length === 0 && excerpts.length === 0
  const error = sessions.error ?? found.error
  const currentIf = (href: string) => (location === href ? "page" : undefined)
  return (
    <>
      {error !== null && <p className="error">{error.message}</p>}
      {sessions.isPending && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {isEmpty && !found.isFetching && (
        <p className="muted">
          {search === "" ? (isArchive ? "The archive is empty." : "No sessions yet.") : "No session has these words."}
        </p>
      )}
      <ul>
        {listed.map((session) => (
          <li key={session.id}>
            <Link href={hrefOf(session.id)} onClick={onNavigate} aria-current={currentIf(hrefOf(session.id))}>
              <SessionState session={session} isAsking={asking.has(session.id)} />
              <span className="session-title">{SessionList.titleOf(session)}</span>
              <span className="session-age">{age(now - session.updatedAtMillis)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {search === "" && sessions.hasNextPage && (
        <button
          className="button quiet"
          disabled={sessions.isFetchingNextPage}
          onClick={() => void sessions.fetchNextPage()}
        >
          Older sessions
        </button>
      )}
      {excerpts.length > 0 && (
        <>
          <h2 className="sessions-heading">In messages</h2>
          <ul>
            {excerpts.map(({ sequence, sessionId, text, title }) => (
              <li key={`${sessionId}/${sequence}`}>
                <Link
                  href={hrefOf(sessionId)}
                  onClick={onNavigate}
                  className="hit"
                  aria-current={currentIf(hrefOf(sessionId))}
                >
                  <span className="session-title">{SessionList.titleOf({ title })}</span>
                  <span className="hit-text">{SessionList.snippet(text, search)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const hrefOf = (sessionId: string): string => `/sessions/${encodeURIComponent(sessionId)}`

const SessionState = ({ isAsking, session }: { readonly session: Session; readonly isAsking: boolean }) => (
  <>
    <span className={`dot dot-${isAsking ? "wait" : SessionList.toneOf(session.state)}`} />
    <span className="visually-hidden">{isAsking ? "asks you" : session.state.toLowerCase()}</span>
  </>
)
