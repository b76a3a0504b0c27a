/** The side panel of the session on screen: the picture of its tree, and its changed files. */
import * as Tabs from "@radix-ui/react-tabs"
import type { TreeSession } from "../model/TreeView.ts"
import { ChangedFiles } from "./ChangedFiles.tsx"
import { TreePicture } from "./TreePicture.tsx"

interface SidePanelProps {
  readonly sessions: ReadonlyArray<TreeSession>
  readonly sessionId: string
}

export const SidePanel = ({ sessionId, sessions }: SidePanelProps) => (
  <Tabs.Root className="panel-content" defaultValue="tree">
    <Tabs.List className="tabs" aria-label="Details of the session">
      <Tabs.Trigger className="tab" value="tree">
        Tree
      </Tabs.Trigger>
      <Tabs.Trigger className="tab" value="changes">
        Changed files
      </Tabs.Trigger>
    </Tabs.List>
    <Tabs.Content value="tree">
      {sessions.length === 0 ? (
        <p className="muted">Loading…</p>
      ) : (
        <TreePicture sessions={sessions} shownId={sessionId} />
      )}
    </Tabs.Content>
    <Tabs.Content value="changes">
      <ChangedFiles sessionId={sessionId} />
    </Tabs.Content>
  </Tabs.Root>
)
