/**
 * The live sessions of one tree: the stored entries of the sessions on screen, and the frames that follow. One stream
 * serves the whole tree. All frames that arrive between two drawings are applied together.
 */
import { dataOf, type EventsState, type Gateway } from "@bough/client"
import * as Conversation from "../model/Conversation.ts"
import type { Frame } from "../model/Journal.ts"
import { pageSize, readEntries } from "./storedEntries.ts"

interface WatchedSession {
  readonly conversation: Conversation.Conversation
  /** Frames that arrived while stored entries were being read; null: no entries are being read. */
  readonly held: ReadonlyArray<Frame> | null
  readonly error: string | null
}

export interface LiveView {
  readonly connection: EventsState
  readonly sessions: ReadonlyMap<string, WatchedSession>
}

export class LiveTree {
  readonly #gateway: Gateway
  readonly #treeId: string
  readonly #onFrames: (frames: ReadonlyArray<Frame>) => void
  readonly #ended = new AbortController()
  readonly #listeners = new Set<() => void>()
  #view: LiveView = { connection: "connecting", sessions: new Map() }
  #frames: Array<Frame> = []
  #isScheduled = false
  /** Sessions to read again after the current read, because entries may have been stored meanwhile. */
  readonly #again = new Set<string>()

  constructor(gateway: Gateway, treeId: string, onFrames: (frames: ReadonlyArray<Frame>) => void) {
    this.#gateway = gateway
    this.#treeId = treeId
    this.#onFrames = onFrames
  }

  /** Reads frames until the tree is closed. */
  readonly open = async (): Promise<void> => {
    const { signal } = this.#ended
    const onState = (connection: EventsState): void => {
      this.#set({ ...this.#view, connection })
      // Entries that were stored between two connections whose frames do not overlap are read from the journal.
      if (connection === "open") for (const sessionId of this.#view.sessions.keys()) void this.#load(sessionId)
    }
    try {
      for await (const frame of this.#gateway.events(this.#treeId, { after: "latest", signal, onState })) {
        this.#frames.push(frame)
        this.#schedule()
      }
    } catch {
      this.#set({ ...this.#view, connection: "waiting" })
    }
  }

  readonly close = (): void => this.#ended.abort()

  /** Begins to show a session if it is not shown yet. */
  readonly watch = (sessionId: string): void => {
    if (this.#view.sessions.has(sessionId)) return
    this.#setSession(sessionId, { conversation: Conversation.empty(sessionId), held: null, error: null })
    void this.#load(sessionId)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): LiveView => this.#view

  /** Reads the entries after the last one shown, then applies the frames that arrived meanwhile. */
  readonly #load = async (sessionId: string): Promise<void> => {
    const before = this.#view.sessions.get(sessionId)
    if (before === undefined) return
    if (before.held !== null) return void this.#again.add(sessionId)
    this.#setSession(sessionId, { ...before, held: [], error: null })
    const { signal } = this.#ended
    try {
      let { conversation } = before
      const readPage = (fromSeq: number) => {
        const query = { fromSeq: `${fromSeq}`, limit: `${pageSize}` }
        return dataOf(
          this.#gateway.api.GET("/api/v1/sessions/{sessionId}/entries", {
            params: { path: { sessionId }, query },
            signal
          })
        )
      }
      await readEntries(conversation.seq + 1, readPage, (entries) => {
        conversation = Conversation.takeEntries(conversation, entries)
      })
      const heldEvents = this.#view.sessions.get(sessionId)?.held ?? []
      this.#setSession(sessionId, {
        conversation: heldEvents.reduce(Conversation.take, conversation),
        held: null,
        error: null
      })
      if (this.#again.delete(sessionId)) void this.#load(sessionId)
    } catch (error) {
      if (signal.aborted) return
      this.#setSession(sessionId, { ...before, held: null, error: (error as Error).message })
    }
  }

  readonly #schedule = (): void => {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const flush = (): void => {
      this.#isScheduled = false
      this.#flush()
    }
    // A hidden page draws no frames, so a timer replaces them.
    if (document.hidden) setTimeout(flush, 100)
    else requestAnimationFrame(flush)
  }

  readonly #flush = (): void => {
    const frames = this.#frames
    this.#frames = []
    const sessions = new Map(this.#view.sessions)
    const behind = new Set<string>()
    for (const frame of frames) {
      if (!("sessionId" in frame)) continue
      const watched = sessions.get(frame.sessionId)
      if (watched === undefined) continue
      const { conversation, held } = watched
      if (held !== null) sessions.set(frame.sessionId, { ...watched, held: [...held, frame] })
      else if (frame._tag === "Entry" && frame.entry.seq > conversation.seq + 1) behind.add(frame.sessionId)
      else sessions.set(frame.sessionId, { ...watched, conversation: Conversation.take(conversation, frame) })
    }
    this.#set({ ...this.#view, sessions })
    for (const sessionId of behind) void this.#load(sessionId)
    this.#onFrames(frames)
  }

  readonly #setSession = (sessionId: string, watched: WatchedSession): void =>
    this.#set({ ...this.#view, sessions: new Map(this.#view.sessions).set(sessionId, watched) })

  readonly #set = (view: LiveView): void => {
    this.#view = view
    for (const listener of this.#listeners) listener()
  }
}
