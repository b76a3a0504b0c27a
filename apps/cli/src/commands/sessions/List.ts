/** `sessions list`: the sessions of this workspace or of all workspaces, newest first. */
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Home from "@bough/host/config/Home"
import * as Lists from "../../io/Lists.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { all: ListFlags.all, format: ListFlags.format }

const shown = 100

const list = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  options: CommandOptions<typeof parameters>
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

/** The state of a session; a suspended one waits for an approval, or for the next message. */
const standing = (state: Session.SessionState, asks: boolean): string => {
  if (state !== "Suspended") return state.toLowerCase()
  return asks ? "asks you" : "idle"
}

export const command = declare({ parameters, run: list })
