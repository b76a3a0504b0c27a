/** `sessions list`: the sessions of this workspace or of all workspaces, newest first. */
import * as Home from "@bough/host/config/Home"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Lists from "../../io/Lists.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { all: ListFlags.all, format: ListFlags.format }

/** The maximum number of sessions that are listed without `--all`. */
const maxWithoutAll = 100

const pageSize = 500

/** Returns the newest sessions, at most `limit`. */
const newest = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  { limit, workspaceRoot }: { readonly workspaceRoot: string | null; readonly limit: number }
) {
  const found: Array<Session.Summary> = []
  while (found.length < limit) {
    const after = found.at(-1)
    const pageLimit = Math.min(pageSize, limit - found.length)
    const page = yield* store.list({ workspaceRoot, limit: pageLimit, ...(after === undefined ? {} : { after }) })
    found.push(...page)
    if (page.length < pageLimit) break
  }
  return found
})

const list = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  options: CommandOptions<typeof parameters>
) {
  const workspaceRoot = options.all ? null : yield* SettingsFile.workspaceRoot(program.environment, common.cwd)
  const { found, waiting } = yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const open = yield* store.pendingApprovals(null)
      return {
        found: yield* newest(store, { workspaceRoot, limit: options.all ? Infinity : maxWithoutAll + 1 }),
        /** Sessions that wait for an approval, or whose children do. */
        waiting: new Set(open.flatMap(({ sessionPath }) => sessionPath))
      }
    })
  )
  const { output, environment } = program
  const sessions = options.all ? found : found.slice(0, maxWithoutAll)
  if (sessions.length < found.length)
    output.note(`only the newest ${maxWithoutAll} are listed; --all lists those of all workspaces`)
  if (options.format === "json") return output.json(sessions, 2)
  if (sessions.length === 0) output.note(options.all ? "no sessions yet" : "no sessions in this workspace yet")
  Lists.print(
    program,
    sessions.map(({ entries, sessionId, state, title, updatedAtMillis, workspaceRoot: root }) => {
      const when = new Date(updatedAtMillis).toISOString().slice(0, 16).replace("T", " ")
      const folder = options.all ? [Home.displayPath(root, environment.home)] : []
      const stands = stateText(state, waiting.has(sessionId))
      const entryCount = `${entries} entries`
      return {
        line: [sessionId, when, stands.padEnd(9), entryCount, ...folder, title].join("  "),
        title,
        facts: [stands, when, entryCount, ...folder, sessionId]
      }
    })
  )
})

/** The state of a session; a suspended one waits for an approval, or for the next message. */
const stateText = (state: Session.SessionState, asks: boolean): string => {
  if (state !== "Suspended") return state.toLowerCase()
  return asks ? "asks you" : "idle"
}

export const command = declare({ parameters, run: list })
