/** `sessions`: list, show, fork, export, remove. */
import { Entry, type Session } from "@bough/protocol"
import { Fork, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { text } from "@bough/tui/text/SafeText"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Home from "@bough/host/config/Home"
import * as StagedMemory from "@bough/host/memory/StagedMemory"
import type { Program } from "../Program.ts"
import type { CliFailure } from "../CliFailure.ts"
import * as EntryText from "../format/EntryText.ts"
import * as Lists from "../io/Lists.ts"
import * as OpenSession from "@bough/host/session/OpenSession"
import type { Common, ListFormat } from "../command-line/Options.ts"
import { withStore } from "../session/WithStore.ts"

const shown = 100

export const list = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  options: { readonly all: boolean; readonly format: ListFormat }
) {
  const workspaceRoot = options.all ? null : yield* SettingsFile.workspaceRoot(program.environment, common.cwd)
  const { asking, sessions } = yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const open = yield* store.pendingApprovals(null)
      return {
        asking: new Set(open.flatMap(({ sessionPath }) => sessionPath)),
        sessions: yield* store.list({ workspaceRoot, limit: shown })
      }
    })
  )
  const { output, environment } = program
  if (options.format === "json") return output.json(sessions, 2)
  if (sessions.length === 0) output.note(options.all ? "no sessions yet" : "no sessions in this workspace yet")
  Lists.print(
    program,
    sessions.map(({ entries, sessionId, state, title, updatedAtMillis, workspaceRoot: root }) => {
      const when = new Date(updatedAtMillis).toISOString().slice(0, 16).replace("T", " ")
      const where = options.all ? [Home.displayPath(root, environment.home)] : []
      const stands = standing(state, asking.has(sessionId))
      const counted = `${entries} entries`
      return {
        line: [sessionId, when, stands.padEnd(9), counted, ...where, title].join("  "),
        title,
        facts: [stands, when, counted, ...where, sessionId]
      }
    })
  )
})

/** Of a session that rests, whether it waits for a person or only for the next message. */
const standing = (state: Session.SessionState, asks: boolean): string => {
  if (state !== "Suspended") return state.toLowerCase()
  return asks ? "asks you" : "idle"
}

const pageSize = 256

/** Entries in their order, a page at a time. */
const eachEntry = (id: string, use: (entry: Entry.Entry) => void) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const sessionId = yield* OpenSession.byId(id)
    for (let from = 0; ; from += pageSize) {
      const page = yield* store.entries(sessionId, from, pageSize)
      page.forEach(use)
      if (page.length < pageSize) return
    }
  })

export const show = (program: Program, id: string): Effect.Effect<void, CliFailure> => {
  const { output } = program
  return withStore(
    program,
    eachEntry(id, (entry) => {
      for (const row of EntryText.rows(entry)) output.answerEscaped(text`${row}\n`)
    })
  )
}

const encode = Schema.encodeUnknownSync(Entry.Entry)

export const exportAll = (program: Program, id: string): Effect.Effect<void, CliFailure> =>
  withStore(
    program,
    eachEntry(id, (entry) => program.output.json(encode(entry)))
  )

export const fork = (program: Program, id: string, at: number | null): Effect.Effect<void, CliFailure> =>
  withStore(
    program,
    Effect.gen(function* () {
      const forked = yield* Fork.fork(yield* OpenSession.byId(id), at)
      program.output.answer(`${forked}\n`)
      program.output.note(`go on with it: ${program.name} --session ${forked}`)
    })
  )

const pageLength = 200

/** What the user wrote in a session; of one that is damaged, before the damage. */
const textsOf = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
) {
  const texts = new Set<string>()
  for (let fromSeq = 0; ; fromSeq += pageLength) {
    const page = yield* store
      .entries(sessionId, fromSeq, pageLength)
      .pipe(Effect.catchTag("JournalCorrupt", () => Effect.succeed([])))
    for (const { body } of page) if (body._tag === "UserMessage") texts.add(body.text)
    if (page.length < pageLength) return texts
  }
})

export const remove = (program: Program, id: string): Effect.Effect<void, CliFailure> =>
  withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { treeId, workspaceRoot } = yield* store.session(yield* OpenSession.byId(id))
      const said = yield* textsOf(store, treeId)
      yield* store.remove(treeId)
      const dataDirectory = Home.dataDirectory(program.environment)
      const HistoryFile = yield* Effect.promise(() => import("../ui/tui/HistoryFile.ts"))
      yield* HistoryFile.make({ dataDirectory, workspaceRoot })
        .forget(said)
        .pipe(Effect.catch(({ message }) => Effect.sync(() => program.output.note(message))))
      yield* StagedMemory.dropAbandoned(dataDirectory, store)
      program.output.note(`session ${treeId} is deleted`)
    })
  )
