/**
 * The entries of the sessions that the command line names: one session and its descendants, or the trees of a workspace
 * or of all workspaces that changed last, the least recently changed first.
 */
import * as SettingsFile from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import type { Entry } from "@bough/protocol"
import { SessionStore, TreeEntries } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"
import { withStore } from "../session/WithStore.ts"

const maxTrees = 1_000

/** `begin` is called before each tree, `use` with its entries in commit order. */
export const forEach = Effect.fnUntraced(function* (
  program: Program,
  {
    common,
    options
  }: { readonly common: Common; readonly options: { readonly session: string | null; readonly all: boolean } },
  report: { readonly begin: () => void; readonly use: (entry: Entry.Entry) => void }
) {
  const workspaceRoot = options.all ? null : yield* SettingsFile.workspaceRoot(program.environment, common.cwd)
  yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const ids =
        options.session === null
          ? (yield* store.list({ workspaceRoot, limit: maxTrees })).map(({ sessionId }) => sessionId).toReversed()
          : [yield* FindSession.byId(options.session)]
      for (const id of ids) {
        report.begin()
        yield* TreeEntries.forEach(store, id, (entry) => Effect.sync(() => report.use(entry)))
      }
    })
  )
})
