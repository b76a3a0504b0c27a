/**
 * The items of a conversation, oldest first. The list scrolls to each new item if the reader was at its end. In a long
 * conversation, only the newest items are drawn until the reader scrolls up to earlier ones.
 */
import { memo, type ReactNode, useContext, useLayoutEffect, useMemo, useRef, useState } from "react"
import { Link } from "wouter"
import { count } from "../model/Figures.ts"
import * as ForkPoints from "../model/ForkPoints.ts"
import type { ChildItem, Item, NoteItem, TextItem, UserItem } from "../model/Item.ts"
import type { QueuedMessage } from "../model/Queue.ts"
import * as SessionList from "../model/SessionList.ts"
import * as TreeView from "../model/TreeView.ts"
import { CallRow } from "./CallRow.tsx"
import { Icon } from "./Icon.tsx"
import { Markdown } from "./Markdown.tsx"
import { StandingContext } from "./StandingContext.ts"
import { useDrawnItems } from "./useDrawnItems.ts"

interface ThreadProps {
  readonly items: ReadonlyArray<Item>
  readonly queue: ReadonlyArray<QueuedMessage>
  /** Starts a session from the entries up to this number; null: the user may not fork. */
  readonly onFork: ((throughSeq: number) => void) | null
  readonly isWorking: boolean
  readonly children?: ReactNode
}

export const Thread = ({ children, isWorking, items, onFork, queue }: ThreadProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [isAway, setAway] = useState(false)
  const { drawEarlier, from } = useDrawnItems(items.length, scroller)
  const points = useMemo(() => ForkPoints.forkPoints(items), [items])
  const scrollToEnd = (): void => {
    const element = scroller.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollToEnd()
  })
  return (
    <div className="thread-frame">
      <div
        ref={scroller}
        className="thread"
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        onScroll={({ currentTarget: { clientHeight, scrollHeight, scrollTop } }) => {
          const below = scrollHeight - scrollTop - clientHeight
          isAtEnd.current = below < 40
          setAway(below > clientHeight / 2)
          if (scrollTop < clientHeight) drawEarlier()
        }}
      >
        {from > 0 && (
          <button className="button quiet earlier" onClick={drawEarlier}>
            Show earlier ({count(from)})
          </button>
        )}
        <div role="log" aria-label="Messages" aria-busy={isWorking}>
          <ol className="items">
            {items.slice(from).map((item) => (
              <li
                key={item.key}
                className={`item item-${item._tag.toLowerCase()}`}
                data-entry={item.entryId ?? undefined}
              >
                <Row item={item} />
                {onFork !== null && <ForkButton point={points.get(item.key) ?? null} onFork={onFork} />}
              </li>
            ))}
            {queue.map(({ delivery, key, text }) => (
              <li key={key} className="item item-user queued">
                <span className="tag tag-wait">{labels[delivery]}</span>
                <p className="said">{text}</p>
              </li>
            ))}
          </ol>
        </div>
        {children}
      </div>
      {isAway && (
        <button className="button to-end" onClick={scrollToEnd}>
          <Icon name="down" /> {isWorking ? "Follow the reply" : "Newest"}
        </button>
      )}
    </div>
  )
}

const labels = {
  send: "sending",
  queue: "queued until the turn ends",
  steer: "steering: joins before the next step"
} as const

interface ForkButtonProps {
  /** Null: no fork starts at the item. */
  readonly point: ForkPoints.ForkPoint | null
  readonly onFork: (throughSeq: number) => void
}

const ForkButton = ({ onFork, point }: ForkButtonProps) =>
  point === null ? null : (
    <button className="button quiet fork" onClick={() => onFork(point.throughSeq)} aria-label={point.label}>
      <Icon name="fork" /> Fork
    </button>
  )

const Row = memo(({ item }: { readonly item: Item }) => {
  switch (item._tag) {
    case "User":
      return <UserRow item={item} />
    case "Text":
      return <TextRow item={item} />
    case "Reasoning":
      return <ReasoningRow item={item} />
    case "Call":
      return <CallRow call={item} />
    case "Child":
      return <ChildRow item={item} />
    case "Note":
      return <NoteRow item={item} />
  }
})

const UserRow = ({ item }: { readonly item: UserItem }) => (
  <>
    <h2 className="visually-hidden">Message of {item.principal}</h2>
    <p className="said">{item.text}</p>
    {item.media.length > 0 && (
      <div className="media">
        {item.media.map(({ data, mediaType }, index) =>
          /^image\/(?:png|jpeg|gif|webp)$/u.test(mediaType) ? (
            <img key={index} src={`data:${mediaType};base64,${data}`} alt={`Attached ${index + 1}`} />
          ) : null
        )}
      </div>
    )}
  </>
)

const TextRow = ({ item }: { readonly item: TextItem }) => (
  <>
    <h2 className="visually-hidden">Reply</h2>
    <Markdown text={item.text} />
    {item.isLive && <span className="cursor" aria-hidden="true" />}
    {item.isCut && <span className="tag tag-plain">interrupted here</span>}
  </>
)

const ReasoningRow = ({ item }: { readonly item: TextItem }) => (
  <details className="reasoning">
    <summary>
      <Icon name="chevron" />
      {item.isLive ? "Reasoning…" : "Reasoning"}
      <span className="muted">{count(item.text.split(/\s+/u).length)} words</span>
    </summary>
    <Markdown text={item.text} />
  </details>
)

const ChildRow = ({ item }: { readonly item: ChildItem }) => {
  const standings = useContext(StandingContext)
  const { label, tone } = TreeView.childStatusLabel(item.result?.status ?? null, standings.get(item.childId))
  return (
    <Link className="child" href={`/sessions/${encodeURIComponent(item.childId)}`}>
      <Icon name={item.kind === "Worker" ? "worker" : "branch"} />
      <span className="child-kind">{item.kind}</span>
      <span className="child-title">{SessionList.titleOf(item, "untitled")}</span>
      <span className={`tag tag-${tone}`}>{label}</span>
    </Link>
  )
}

const NoteRow = ({ item }: { readonly item: NoteItem }) =>
  item.details === "" ? (
    <p className={`note note-${item.tone}`}>{item.text}</p>
  ) : (
    <details className={`note note-${item.tone}`}>
      <summary>{item.text}</summary>
      <Markdown text={item.details} />
    </details>
  )
