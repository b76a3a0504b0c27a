/** The frame of every screen: sessions and links on the left, the screen, and keyboard commands. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Route, Switch } from "wouter"
import type { Account } from "./api/account.ts"
import * as queries from "./api/queries.ts"
import { AccountContext } from "./components/AccountContext.ts"
import { CommandPalette } from "./components/CommandPalette.tsx"
import { Icon } from "./components/Icon.tsx"
import { Sheet } from "./components/Sheet.tsx"
import { Sidebar } from "./components/Sidebar.tsx"
import { useAttention } from "./components/useAttention.ts"
import { useLostFocus } from "./components/useLostFocus.ts"
import { useShortcuts } from "./components/useShortcuts.ts"
import { WaitingContext } from "./components/WaitingContext.ts"
import { places } from "./places.ts"
import { ApprovalsScreen } from "./screens/ApprovalsScreen.tsx"
import { SessionScreen } from "./screens/SessionScreen.tsx"
import { StartScreen } from "./screens/StartScreen.tsx"

export const Shell = ({ account }: { readonly account: Account }) => {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const approvals = useQuery(queries.approvals())
  const waiting = approvals.data?.items.length ?? 0
  useAttention(approvals.data?.items ?? [])
  useLostFocus()
  useShortcuts({ openPalette: () => setPaletteOpen(true) })
  return (
    <AccountContext value={account}>
      <WaitingContext value={waiting}>
        <a className="skip" href="#main" onClick={skipToMain}>
          Skip to content
        </a>
        <div className="shell">
          <header className="top-bar">
            <button className="button quiet" aria-label="Menu" onClick={() => setMenuOpen(true)}>
              <Icon name="menu" />
            </button>
            <span className="brand">Bough</span>
            {waiting > 0 && (
              <span
                className="badge"
                aria-label={waiting === 1 ? "1 pending approval" : `${waiting} pending approvals`}
              >
                {waiting}
              </span>
            )}
          </header>
          <aside className="side">
            <Sidebar waiting={waiting} onCommands={() => setPaletteOpen(true)} />
          </aside>
          <Sheet title="Menu" side="left" isOpen={isMenuOpen} onOpenChange={setMenuOpen}>
            <Sidebar waiting={waiting} onNavigate={() => setMenuOpen(false)} onCommands={() => setPaletteOpen(true)} />
          </Sheet>
          <main id="main" tabIndex={-1}>
            <Switch>
              <Route path="/sessions/:id">
                {({ id }) => <SessionScreen key={id} sessionId={decodeURIComponent(id)} />}
              </Route>
              {places(account).map(({ path, screen: Screen }) => (
                <Route key={path} path={path} component={Screen} />
              ))}
              <Route path="/approvals/:id" component={ApprovalsScreen} />
              <Route component={StartScreen} />
            </Switch>
          </main>
        </div>
        <CommandPalette isOpen={isPaletteOpen} onOpenChange={setPaletteOpen} />
      </WaitingContext>
    </AccountContext>
  )
}

/**
 * Moves the focus. The default action of the link is prevented, because the fragment of the address is the route, so
 * the action would change the screen.
 */
const skipToMain = (event: React.MouseEvent): void => {
  event.preventDefault()
  document.getElementById("main")?.focus()
}
