/** The list of sessions with a search, and links to the other screens. */
import { useContext, useState } from "react"
import { Link, useLocation } from "wouter"
import { places } from "../places.ts"
import { AccountContext } from "./AccountContext.ts"
import { AccountMenu } from "./AccountMenu.tsx"
import { Icon } from "./Icon.tsx"
import { SessionRows } from "./SessionRows.tsx"

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
        <SessionRows search={search} isArchive={isArchive} onNavigate={onNavigate} />
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
