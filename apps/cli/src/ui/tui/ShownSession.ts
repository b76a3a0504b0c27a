/** Shows an opened session on the screen: its journal, its usage, and the facts of the status line. */
import type { Settings } from "@bough/host/config/Settings"
import { rolesOf } from "@bough/host/session/KindTools"
import type * as SessionMode from "@bough/host/session/SessionMode"
import type { Session } from "@bough/protocol"
import type { BlobStore, SessionStore } from "@bough/runtime"
import { RepositoryState } from "@bough/workspace"
import * as Effect from "effect/Effect"
import { basename } from "node:path"
import { toCliFailure } from "../../Failures.ts"
import type { Program } from "../../Program.ts"
import * as fullOutput from "../conversation/fullOutput.ts"
import * as loadEntries from "../conversation/loadEntries.ts"
import type { OpenedSession } from "../conversation/OpenedSession.ts"
import * as SessionUsage from "../conversation/SessionUsage.ts"
import * as KnownArguments from "./KnownArguments.ts"
import { principalOf } from "./principalOf.ts"
import * as Replay from "./Replay.ts"
import * as Transcript from "./Transcript.ts"
import type { TuiApp } from "./TuiApp.ts"

/** The stores that hold the session. */
export interface SessionPorts {
  readonly blobs: BlobStore.BlobStore["Service"]
  readonly store: SessionStore.SessionStore["Service"]
}

export interface ShownSessionOptions {
  readonly app: TuiApp
  readonly mode: SessionMode.SessionMode
  readonly ports: SessionPorts
  readonly program: Program
  readonly settings: Settings
}

export const show = Effect.fnUntraced(function* (options: ShownSessionOptions, opened: OpenedSession) {
  const { app, mode, ports, program, settings } = options
  const { chosen, isNew, model, session } = opened
  const { sessionId } = session
  const entries = yield* fullOutput.forEntries(yield* loadEntries.loadEntries(ports.store, sessionId), ports.blobs)
  const before = app.view()
  const empty = yield* emptyTranscript(options, sessionId)
  const { blocks, view } = Replay.replay({ ...empty, indexing: before.indexing }, entries, program.name)
  // The entries of this session do not include the commands of its descendants.
  const commands = before.sessionId === sessionId ? before.commands : view.commands
  app.update(() => ({ view: { ...view, commands }, blocks: isNew ? blocks : [] }))
  const { root } = settings.workspace
  app.setModel({
    ...model,
    effort: chosen.effort,
    folder: basename(root),
    branch: RepositoryState.branchOf(root)
  })
  app.setMode(mode.now())
  for (const [command, known] of KnownArguments.initial(program, settings, model.name)) {
    app.edit({ _tag: "ArgumentsKnown", command, options: known })
  }
})

/** Returns the transcript of a session before its first entry. */
const emptyTranscript = Effect.fnUntraced(function* (
  { ports: { store }, program, settings }: ShownSessionOptions,
  sessionId: Session.SessionId
) {
  const untitled = Transcript.make(sessionId, program.output.verbose, rolesOf(program.packs))
  const usage = yield* SessionUsage.read(store, sessionId).pipe(Effect.mapError(toCliFailure))
  const title = yield* titleOf(store, sessionId)
  return { ...untitled, usage, title, reader: { ...untitled.reader, user: principalOf(settings) } }
})

/** Returns the stored title of a session; "" if the session is not stored. */
const titleOf = (store: SessionPorts["store"], sessionId: Session.SessionId) =>
  store.session(sessionId).pipe(
    Effect.map(({ title }) => title),
    Effect.catchTag("SessionNotFound", () => Effect.succeed("")),
    Effect.mapError(toCliFailure)
  )
