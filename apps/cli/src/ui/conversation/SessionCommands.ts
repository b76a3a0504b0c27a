/** `/new`, `/sessions` and `/fork`: continue the conversation in another session. */
import * as FindSession from "@bough/host/session/FindSession"
import * as SessionFork from "@bough/host/session/SessionFork"
import type { Session } from "@bough/protocol"
import { Fork, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { usage } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import * as UndoReport from "../../session/UndoReport.ts"
import type { ConversationContext, CommandEffect } from "./ConversationContext.ts"
import * as ModelCommands from "./ModelCommands.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import { resumeTarget } from "./resumeTarget.ts"
import { foundItems, sessionItems } from "./SessionItems.ts"
import * as SessionSearch from "./SessionSearch.ts"
import * as UndoCommands from "./UndoCommands.ts"

export const sessions = (context: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* () {
    const { ui } = context
    const chosen = argument.startsWith(idStart) ? argument : yield* choose(context, open, argument)
    if (chosen === null) return "stay"
    const sessionId = yield* Effect.mapError(FindSession.byId(chosen), toCliFailure)
    if (sessionId === open.session.sessionId) {
      ui.note("that session is open already")
      return "stay"
    }
    const inUse = yield* ModelCommands.modelOfSession(context, open, sessionId)
    const withModel = inUse.model === open.model ? "" : ` with ${inUse.model.name}`
    const arrival = `${ui.kind === "lines" ? `session ${sessionId}` : `opened ${yield* nameOf(sessionId)}`}${withModel}`
    return { ...open, ...inUse, which: { session: sessionId, continue: false }, isNew: true, arrival }
  })

/** The beginning of every session's id; any other argument is a query. */
const idStart = "ses_"

/** Begins a new session; the previous one can be reopened. */
export const begin = (_: ConversationContext, open: SessionWithModel): CommandEffect => {
  const arrival = "new session: /sessions returns to the previous one"
  return Effect.succeed({ ...open, which: { session: null, continue: false }, isNew: true, arrival })
}

/** Returns a session's title in quotes, or the beginning of its id if it has no title. */
const nameOf = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const { title } = yield* store.session(sessionId).pipe(Effect.mapError(toCliFailure))
  return title === "" ? sessionId.slice(0, 12) : `“${title}”`
})

/** The numbered list of plain lines is short; the list on the screen can be searched. */
const maxSessions = { lines: 15, screen: 200 } as const

const choose = Effect.fnUntraced(function* (
  { settings, ui }: ConversationContext,
  { session }: SessionWithModel,
  query: string
) {
  const store = yield* SessionStore.SessionStore
  const workspaceRoot = settings.workspace.root
  const search = yield* SessionSearch.make(store, settings)
  if (ui.kind === "screen") {
    const newest = yield* store.list({ workspaceRoot, limit: maxSessions.screen }).pipe(Effect.mapError(toCliFailure))
    const shown = { nowMillis: yield* store.now, open: session.sessionId }
    const items = yield* sessionItems(store, newest, shown)
    if (items.length > 0) {
      const find = (words: string) => Effect.map(search(words), (found) => foundItems(found, shown))
      return yield* ui.dialogs.pick({ title: "Resume a session", verb: "opens it", items, query, search: find })
    }
  }
  const found =
    query === ""
      ? (yield* store.list({ workspaceRoot, limit: maxSessions.lines }).pipe(Effect.mapError(toCliFailure))).map(
          (summary): SessionSearch.SessionMatch => ({ summary, quote: "" })
        )
      : (yield* search(query)).slice(0, maxSessions.lines)
  if (found.length > 0) {
    return yield* ui.dialogs.choose({
      command: "sessions",
      now: session.sessionId,
      options: found.map((one) => [one.summary.sessionId, textOf(one, session.sessionId)]),
      shownFirst: "description",
      hint: "/sessions ID opens one; a prefix of the id is enough"
    })
  }
  ui.note(query === "" ? "no sessions in this workspace yet" : `no session of this workspace matches: ${query}`)
  return null
})

const textOf = ({ quote, summary }: SessionSearch.SessionMatch, open: Session.SessionId): string => {
  const { sessionId, state, title, updatedAtMillis } = summary
  const when = new Date(updatedAtMillis).toISOString().slice(0, 16).replace("T", " ")
  return `${title} · ${when} · ${state === "Suspended" ? "idle" : state.toLowerCase()}${sessionId === open ? " (this one)" : ""}${quote === "" ? "" : ` · ${quote}`}`
}

/** The argument that also restores the files. */
const withFiles = "--files"

export const fork = (context: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* () {
    const { ui, program } = context
    const { isForced, rest: unparsed } = UndoCommands.read(argument)
    const words = unparsed.split(" ").filter((word) => word !== "")
    const takesFiles = words.includes(withFiles)
    const entryText = words.filter((word) => word !== withFiles).join(" ")
    const at = entryText === "" ? null : Number(entryText)
    if (at !== null && !Number.isSafeInteger(at)) {
      return yield* usage(
        `/fork takes the number of an entry, not ${JSON.stringify(entryText)}`,
        `"${program.name} sessions show ${open.session.sessionId}" numbers the entries`
      )
    }
    if (isForced && !takesFiles)
      return yield* usage("--force needs --files", "--force only affects the files that --files restores")
    const { session } = yield* resumeTarget(open.session.sessionId)
    if (session === null) {
      ui.note("nothing to fork yet")
      return "stay"
    }
    const forked = takesFiles
      ? yield* forkWithFiles(context, open, { session, at, isForced })
      : yield* Fork.fork(session, at).pipe(Effect.mapError(toCliFailure))
    const arrival =
      ui.kind === "lines"
        ? `forked ${session}; this is now session ${forked}`
        : `forked ${yield* nameOf(session)}; /sessions returns to the original`
    return { ...open, which: { session: forked, continue: false }, isNew: false, arrival }
  })

interface ForkPoint {
  readonly session: string
  readonly at: number | null
  readonly isForced: boolean
}

const forkWithFiles = Effect.fnUntraced(function* (
  { ui, program }: ConversationContext,
  open: SessionWithModel,
  { at, isForced, session }: ForkPoint
) {
  const snapshots = yield* UndoCommands.snapshotsOf(open, program)
  const { forkId, restored } = yield* Effect.mapError(
    SessionFork.withFiles({ sessionId: session, throughSeq: at, snapshots, isForced }),
    toCliFailure
  )
  if (restored === null) {
    ui.note("no file had to be restored")
    return forkId
  }
  for (const line of UndoReport.lines(restored)) ui.note(line)
  yield* UndoCommands.informAgent(open, { kind: "undo", ...restored })
  ui.note(`restored files to entry ${at}: /redo reverts this`)
  return forkId
})
