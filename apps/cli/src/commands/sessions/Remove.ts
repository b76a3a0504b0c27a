/** `sessions rm`: deletes a conversation with all of its sessions, and its messages from the prompt's history. */
import * as Home from "@bough/host/config/Home"
import * as StagedMemory from "@bough/host/memory/StagedMemory"
import * as FindSession from "@bough/host/session/FindSession"
import type { Session } from "@bough/protocol"
import { EntryPages, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { CliFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { id: ListFlags.sessionId }

/** Returns the user's messages in a session; in a damaged session, those before the damage. */
const textsOf = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
) {
  const texts = new Set<string>()
  yield* EntryPages.forEach(store, sessionId, ({ body }) => {
    if (body._tag === "UserMessage") texts.add(body.text)
  }).pipe(Effect.catchTag("JournalCorrupt", () => Effect.void))
  return texts
})

const remove = (
  program: Program,
  _: Common,
  { id }: CommandOptions<typeof parameters>
): Effect.Effect<void, CliFailure> =>
  withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { sessionId, treeId, workspaceRoot } = yield* store.session(yield* FindSession.byId(id))
      const sentTexts = yield* textsOf(store, treeId)
      yield* store.remove(treeId)
      const dataDirectory = Home.dataDirectory(program.environment)
      const HistoryFile = yield* Effect.promise(() => import("../../ui/tui/HistoryFile.ts"))
      yield* HistoryFile.make({ dataDirectory, workspaceRoot })
        .forget(sentTexts)
        .pipe(Effect.catch(({ message }) => Effect.sync(() => program.output.note(message))))
      const QueueFile = yield* Effect.promise(() => import("../../ui/conversation/QueueFile.ts"))
      QueueFile.remove(dataDirectory, treeId)
      yield* StagedMemory.dropAbandoned(dataDirectory, store)
      program.output.note(
        sessionId === treeId
          ? `conversation ${treeId} is deleted`
          : `conversation ${treeId}, which contains session ${sessionId}, is deleted`
      )
    })
  )

export const command = declare({ parameters, run: remove })
