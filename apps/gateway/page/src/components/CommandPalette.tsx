/** A searchable list of all screens, sessions and commands. */
import { useQuery } from "@tanstack/react-query"
import { Command } from "cmdk"
import { useContext, useState } from "react"
import { navigate } from "wouter/use-hash-location"
import * as queries from "../api/queries.ts"
import * as SessionList from "../model/SessionList.ts"
import { places } from "../places.ts"
import { AccountContext } from "./AccountContext.ts"
import { setColours } from "./colours.ts"
import { Sheet } from "./Sheet.tsx"
import { useSettled } from "./useSettled.ts"

interface PaletteProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export const CommandPalette = ({ isOpen, onOpenChange }: PaletteProps) => (
  <Sheet title="Commands" hidesTitle isOpen={isOpen} onOpenChange={onOpenChange}>
    <Commands onDone={() => onOpenChange(false)} />
  </Sheet>
)

const Commands = ({ onDone }: { readonly onDone: () => void }) => {
  const account = useContext(AccountContext)
  const sessions = useQuery(queries.sessions())
  const [text, setText] = useState("")
  const found = useQuery(queries.searchResults(useSettled(text.trim()), "false"))
  const listed = SessionList.merge(
    SessionList.search(sessions.data?.items ?? [], text),
    text === "" ? [] : (found.data?.titled ?? [])
  )
  const go = (path: string) => () => {
    onDone()
    navigate(path)
  }
  const colour = (value: "light" | "dark" | "system") => () => {
    onDone()
    setColours(value)
  }
  return (
    <Command className="palette" label="Commands" loop>
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="Go to a session or screen, or do something…"
      />
      <Command.List>
        <Command.Empty>Nothing has this name.</Command.Empty>
        <Command.Group heading="Go to">
          <Command.Item onSelect={go("/")}>
            New session <kbd>n</kbd>
          </Command.Item>
          {account !== null &&
            places(account).map(({ name, path }) => (
              <Command.Item key={path} onSelect={go(path)}>
                {name} {path === "/approvals" && <kbd>a</kbd>}
              </Command.Item>
            ))}
        </Command.Group>
        <Command.Group heading="Sessions">
          {listed.slice(0, 50).map((session) => (
            <Command.Item
              key={session.id}
              value={`${SessionList.titleOf(session)} ${session.id}`}
              onSelect={go(`/sessions/${encodeURIComponent(session.id)}`)}
            >
              <span className="palette-name">{SessionList.titleOf(session)}</span>
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading="Colours">
          <Command.Item onSelect={colour("light")}>Light colours</Command.Item>
          <Command.Item onSelect={colour("dark")}>Dark colours</Command.Item>
          <Command.Item onSelect={colour("system")}>Colours of the system</Command.Item>
        </Command.Group>
      </Command.List>
    </Command>
  )
}
