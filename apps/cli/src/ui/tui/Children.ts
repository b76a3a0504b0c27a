/** The child sessions that this one started: task, tool, time, tokens and cost of each. A pure fold of events. */
import { type Entry, type Event, type Session, Usage } from "@bough/protocol"

export interface Child {
  readonly sessionId: Session.SessionId
  readonly kind: Session.Kind
  /** The task in one line. */
  readonly task: string
  readonly state: Session.SessionState
  /** The tool that the child is using; "": none. */
  readonly tool: string
  /** True while the text of its reply arrives. */
  readonly isWriting: boolean
  readonly startedAtMillis: number
  /** Null: the child is still running. */
  readonly endedAtMillis: number | null
  readonly usage: Usage.Usage
}

/** The children by id, oldest first. */
export type Children = ReadonlyMap<string, Child>

export const none: Children = new Map()

export const isAtWork = ({ endedAtMillis }: Child): boolean => endedAtMillis === null

/** Applies an event of any session of the tree. */
export const applyEvent = (children: Children, event: Event.Event, nowMillis: number): Children => {
  switch (event._tag) {
    case "ToolStarted":
      return updateChild(children, event.sessionId, () => ({ tool: event.tool, isWriting: false }))
    case "TextDelta":
      return setWriting(children, event.sessionId, true)
    case "ReasoningDelta":
      return setWriting(children, event.sessionId, false)
    case "Recorded":
      return takeEntry(children, event.entry, nowMillis)
    default:
      return children
  }
}

const takeEntry = (children: Children, entry: Entry.Entry, nowMillis: number): Children => {
  const { body, sessionId } = entry
  switch (body._tag) {
    case "ChildSpawned":
      if (body.purpose !== undefined) return children
      return new Map(children).set(body.childId, {
        sessionId: body.childId,
        kind: body.kind,
        task: body.title,
        state: "Active",
        tool: "",
        isWriting: false,
        startedAtMillis: nowMillis,
        endedAtMillis: null,
        usage: Usage.zero
      })
    // A step that is retried begins a new reply.
    case "StepStarted":
      return setWriting(children, sessionId, false)
    case "ModelReplied":
      return updateChild(children, sessionId, ({ usage }) => ({
        usage: Usage.add(usage, body.usage),
        isWriting: false
      }))
    case "SamplingEnded":
      return updateChild(children, sessionId, ({ usage }) => ({ usage: Usage.add(usage, body.usage) }))
    case "CallEnded":
      return updateChild(children, sessionId, () => ({ tool: "" }))
    case "StateChanged":
      return updateChild(children, sessionId, ({ endedAtMillis }) => ({
        state: body.state,
        endedAtMillis: body.state === "Active" || body.state === "Suspended" ? endedAtMillis : nowMillis
      }))
    case "ChildEnded":
      return updateChild(children, body.childId, ({ endedAtMillis, usage }) => ({
        state: body.result.status,
        endedAtMillis: endedAtMillis ?? nowMillis,
        tool: "",
        // The result includes the usage of the child's descendants.
        usage: { ...body.result.usage, cachedInputTokens: usage.cachedInputTokens }
      }))
    default:
      return children
  }
}

/** Returns the same children if nothing changes, as with every further delta of a reply. */
const setWriting = (children: Children, sessionId: string, isWriting: boolean): Children =>
  children.get(sessionId)?.isWriting === isWriting ? children : updateChild(children, sessionId, () => ({ isWriting }))

const updateChild = (children: Children, sessionId: string, change: (child: Child) => Partial<Child>): Children => {
  const child = children.get(sessionId)
  return child === undefined ? children : new Map(children).set(sessionId, { ...child, ...change(child) })
}
