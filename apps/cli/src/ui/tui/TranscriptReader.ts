/** Opens the transcript of a session: reads its entries, and adds the events that arrive meanwhile. */
import type { Entry, Event } from "@bough/protocol"
import * as StreamedReplies from "./StreamedReplies.ts"
import * as Transcript from "./Transcript.ts"
import * as Viewer from "./Viewer.ts"

export interface SessionAccess {
  readonly read: (sessionId: string) => Promise<ReadonlyArray<Entry.Entry>>
  /** Sends a text to a child; null: stops it. */
  readonly send: (sessionId: string, text: string | null) => void
}

export interface TranscriptReaderOptions {
  /** Returns the transcript of the conversation. */
  readonly current: () => Transcript.Transcript
  readonly show: (viewer: Viewer.Viewer) => void
}

export interface TranscriptReader {
  /** Sets how transcripts are read and how children are messaged; until then, `open` and `send` do nothing. */
  readonly access: (sessions: SessionAccess) => void
  /** Receives each event of the conversation. */
  readonly add: (event: Event.Event) => void
  readonly open: (sessionId: string) => void
  readonly send: SessionAccess["send"]
}

export const make = ({ current, show }: TranscriptReaderOptions): TranscriptReader => {
  let sessions: SessionAccess | null = null
  /** Events that arrived while a transcript was being read; null: none is being read. */
  let eventsWhileReading: Array<Event.Event> | null = null
  const streamed = StreamedReplies.make()

  const showTranscript = (sessionId: string, entries: ReadonlyArray<Entry.Entry>): void => {
    const events = eventsWhileReading ?? []
    eventsWhileReading = null
    const conversation = current()
    const isChild = sessionId !== conversation.sessionId
    const title = conversation.tree.children.get(sessionId)?.task ?? conversation.title
    const view = Transcript.make(sessionId, false, conversation.reader.roles)
    const viewer = Viewer.make({ isChild, entries, title: title === "" ? "Transcript" : title, view }, !isChild)
    show(Viewer.catchUp(viewer, { entries, events }, Date.now()))
  }

  return {
    access: (access) => {
      sessions = access
    },
    add: (event) => {
      streamed.add(event)
      eventsWhileReading?.push(event)
    },
    open: (sessionId) => {
      if (sessions === null) return
      eventsWhileReading = [...streamed.current(sessionId)]
      void sessions.read(sessionId).then((entries) => showTranscript(sessionId, entries))
    },
    send: (sessionId, text) => sessions?.send(sessionId, text)
  }
}
