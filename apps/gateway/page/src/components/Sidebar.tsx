/** The list of sessions with a search, and links to the other screens. */
import { useQuery } from "@tanstack/react-query"
import { useContext, useMemo, useState } from "react"
import { Link, useLocation } from "wouter"
import * as queries from "../api/queries.ts"
import { age } from "../model/Figures.ts"
import * as SessionList from "../model/SessionList.ts"
import { places } from "../places.ts"
import { AccountContext } from "./AccountContext.ts"
import { AccountMenu } from "./AccountMenu.tsx"
import { Icon } from "./Icon.tsx"
import { useNow } from "./useNow.ts"

interface SidebarProps {
  readonly waiting: number
  readonly onNavigate?: () => void
  readonly onCommands: () => void
}

export const Sidebar = ({ onCommands, onNavigate, waiting }: SidebarProps) => {
  const account = useContext(AccountContext)
  const [location] = useLocation()
  const [search, setSearch] = useState("")
  const [isArchive, setArchive] = useState(false)
  const sessions = useQuery(queries.sessions(isArchive ? "true" : "false"))
  const now = useNow()
  const found = useMemo(() => SessionList.search(sessions.data?.items ?? [], search), [sessions.data, search])
  return (
    <div className="sidebar">
      <div className="sidebar-top">
        <Link href="/" className="brand" onClick={onNavigate}>
          Bough
        </Link>
        <Link href="/" className="button" onClick={onNavigate} title="New session (n)">
          <Icon name="plus" /> New
        </Link>
      </div>
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">Search sessions</span>
        <input
          type="search"
          placeholder="Search sessions"
          value={search}
          data-shortcut="search"
          onChange={(event) => setSearch(event.target.value)}
        />
        <kbd>/</kbd>
      </label>
      <nav aria-label="Sessions" className="sessions">
        {sessions.isError && <p className="error">{sessions.error.message}</p>}
        {sessions.isSuccess && found.length === 0 && (
          <p className="muted">
            {search === "" ? (isArchive ? "The archive is empty." : "No sessions yet.") : "No session has these words."}
          </p>
        )}
        <ul>
          {found.map((session) => {
            const href = `/sessions/${encodeURIComponent(session.id)}`
            return (
              <li key={session.id}>
                <Link href={href} onClick={onNavigate} aria-current={location === href ? "page" : undefined}>
                  <span className={`dot dot-${SessionList.toneOf(session.state)}`} />
                  <span className="session-title">{SessionList.titleOf(session)}</span>
                  <span className="session-age">{age(now - session.updatedAtMillis)}</span>
                  <span className="visually-hidden">{session.state.toLowerCase()}</span>
                </Link>
              </li>
            )
          })}
        </ul>
        <button className="button quiet" aria-pressed={isArchive} onClick={() => setArchive(!isArchive)}>
          Archive
        </button>
      </nav>
      <nav aria-label="Places" className="places">
        <ul>
          {account !== null &&
            places(account).map(({ name, path }) => (
              <li key={path}>
                <Link href={path} onClick={onNavigate} aria-current={location === path ? "page" : undefined}>
                  {name}
                  {path === "/approvals" && waiting > 0 && <span className="badge">{waiting}</span>}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
      <div className="sidebar-end">
        <AccountMenu />
        <button className="button quiet" onClick={onCommands}>
          Commands <kbd>Ctrl</kbd> <kbd>K</kbd>
        </button>
      </div>
    </div>
  )
}
