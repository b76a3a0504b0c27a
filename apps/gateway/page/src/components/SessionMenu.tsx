/** The operations on a session as a whole: rename, archive, export. */
import { dataOf, type Session } from "@bough/client"
import * as Menu from "@radix-ui/react-dropdown-menu"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { baseUrl, gateway } from "../api/gateway.ts"
import * as SessionList from "../model/SessionList.ts"
import { Icon } from "./Icon.tsx"
import { Sheet } from "./Sheet.tsx"

interface SessionMenuProps {
  readonly session: Session
  readonly canChange: boolean
}

interface Change {
  readonly title?: string
  readonly archived?: boolean
}

/** The maximum length that the server accepts. */
const maxTitleLength = 200

export const SessionMenu = ({ canChange, session }: SessionMenuProps) => {
  const [isRenaming, setRenaming] = useState(false)
  const client = useQueryClient()
  const params = { path: { sessionId: session.id } }
  const change = useMutation({
    mutationFn: (body: Change) => dataOf(gateway.api.PATCH("/api/v1/sessions/{sessionId}", { params, body })),
    onSuccess: () => {
      setRenaming(false)
      return Promise.all(["sessions", "session", "tree"].map((key) => client.invalidateQueries({ queryKey: [key] })))
    }
  })
  const isArchived = session.archivedAtMillis !== null
  return (
    <>
      {change.error !== null && !isRenaming && (
        <span className="error" role="alert">
          {change.error.message}
        </span>
      )}
      {isArchived && <span className="tag tag-plain">archived</span>}
      <Menu.Root modal={false}>
        <Menu.Trigger className="button quiet" aria-label="Session actions">
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Content className="menu session-menu" align="end" sideOffset={4}>
            {canChange && (
              <Menu.Item className="menu-item" onSelect={() => setRenaming(true)}>
                Rename…
              </Menu.Item>
            )}
            {canChange && session.kind === "Main" && (
              <Menu.Item className="menu-item" onSelect={() => change.mutate({ archived: !isArchived })}>
                {isArchived ? "Restore from the archive" : "Archive"}
              </Menu.Item>
            )}
            <Menu.Item className="menu-item" asChild>
              <a
                href={`${baseUrl}api/v1/sessions/${encodeURIComponent(session.id)}/export`}
                download={`${session.id}.jsonl`}
              >
                Export as JSON lines
              </a>
            </Menu.Item>
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
      <Sheet title="Rename session" isOpen={isRenaming} onOpenChange={setRenaming}>
        <RenameForm
          title={session.title}
          error={change.error}
          isPending={change.isPending}
          onRename={(title) => change.mutate({ title })}
        />
      </Sheet>
    </>
  )
}

interface RenameFormProps {
  readonly title: string
  readonly error: Error | null
  readonly isPending: boolean
  readonly onRename: (title: string) => void
}

const RenameForm = ({ error, isPending, onRename, title }: RenameFormProps) => {
  const [draft, setDraft] = useState(title)
  return (
    <form
      className="sheet-form"
      onSubmit={(event) => {
        event.preventDefault()
        onRename(draft.trim())
      }}
    >
      {error !== null && (
        <p className="error" role="alert">
          {error.message}
        </p>
      )}
      <div className="inline-form">
        <label>
          <span className="visually-hidden">Title</span>
          <input
            autoFocus
            value={draft}
            maxLength={maxTitleLength}
            placeholder={SessionList.titleOf({ title: "" })}
            onChange={(event) => setDraft(event.target.value)}
          />
        </label>
        <button className="button primary" disabled={draft.trim() === "" || isPending}>
          Rename
        </button>
      </div>
    </form>
  )
}
