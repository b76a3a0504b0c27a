/**
 * The live tree as a picture: the task of each session, its state, the used share of its budget, and what it waits for.
 * Each session links to its conversation.
 */
import { useMemo } from "react"
import { Link } from "wouter"
import * as SessionList from "../model/SessionList.ts"
import * as TreeLayout from "../model/TreeLayout.ts"
import * as TreeView from "../model/TreeView.ts"
import { Icon, type IconName } from "./Icon.tsx"

const kindIcon: Readonly<Record<TreeView.TreeSession["kind"], IconName>> = {
  Main: "main",
  Branch: "branch",
  Worker: "worker"
}

interface TreePictureProps {
  readonly sessions: ReadonlyArray<TreeView.TreeSession>
  readonly shownId: string
}

export const TreePicture = ({ sessions, shownId }: TreePictureProps) => {
  const picture = useMemo(() => TreeLayout.place(sessions), [sessions])
  const waiting = useMemo(() => TreeView.waitingLinks(sessions), [sessions])
  return (
    <div className="tree-scroll" role="region" aria-label="Sessions of this tree" tabIndex={0}>
      <div className="tree" style={{ width: picture.width, height: picture.height }}>
        <svg width={picture.width} height={picture.height} aria-hidden="true">
          {picture.links.map(({ from, path, to }) => (
            <path key={to} d={path} className={waiting.has(`${from} ${to}`) ? "tree-link waits" : "tree-link"} />
          ))}
        </svg>
        <ul>
          {picture.placed.map(({ node, x, y }) => (
            <li key={node.id} style={{ left: x, top: y, width: TreeLayout.nodeWidth, height: TreeLayout.nodeHeight }}>
              <TreeNode session={node} isShown={node.id === shownId} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const TreeNode = ({ isShown, session }: { readonly session: TreeView.TreeSession; readonly isShown: boolean }) => {
  const standing = TreeView.statusLabel(session)
  const used = TreeView.budgetShare(session)
  const title = SessionList.titleOf(session, "untitled")
  return (
    <Link
      href={`/sessions/${encodeURIComponent(session.id)}`}
      className={`tree-node tree-${session.kind.toLowerCase()} tone-${standing.tone}${isShown ? " shown" : ""}`}
      aria-current={isShown ? "page" : undefined}
      data-session={session.id}
      data-state={standing.label}
      title={title}
    >
      <span className="tree-kind">
        <Icon name={kindIcon[session.kind]} />
        {session.kind}
        <span className={`tag tag-${standing.tone}`}>{standing.label}</span>
      </span>
      <span className="tree-title">{title}</span>
      <span className="tree-budget">
        {used !== null && <progress value={used} max={1} aria-label="Budget used" />}
        <span>{TreeView.spentText(session)}</span>
      </span>
    </Link>
  )
}
