/** What belongs to the session on screen: the picture of its tree. */
import type { TreeSession } from "../model/TreeView.ts"
import { TreePicture } from "./TreePicture.tsx"

interface SidePanelProps {
  readonly sessions: ReadonlyArray<TreeSession>
  readonly sessionId: string
}

export const SidePanel = ({ sessionId, sessions }: SidePanelProps) => (
  <div className="panel-content">
    <h2>Tree</h2>
    {sessions.length === 0 ? (
      <p className="muted">Loading…</p>
    ) : (
      <TreePicture sessions={sessions} shownId={sessionId} />
    )}
  </div>
)
