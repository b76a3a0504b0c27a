/** `sessions share`: uploads a conversation as a secret gist, after the user has seen what leaves. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import { toCliFailure } from "../../Failures.ts"
import { refuseAgents } from "../../io/refuseAgents.ts"
import type { Program } from "../../Program.ts"
import * as ShareSession from "../../session/ShareSession.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { id: ListFlags.sessionId, yes: Shapes.toggle("yes", "Upload without asking") }

const share = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { id, yes }: CommandOptions<typeof parameters>
) {
  yield* refuseAgents(program, "share a conversation")
  const settings = yield* SettingsFile.load(program.environment, { ...SettingsFile.noOverrides, cwd }, null).pipe(
    Effect.mapError(toCliFailure)
  )
  const url = yield* withStore(
    program,
    Effect.gen(function* () {
      const sessionId = yield* FindSession.byId(id)
      return yield* ShareSession.share(program, settings, { sessionId, isConfirmed: yes })
    })
  )
  program.output.answer(`${url}\n`)
})

export const command = declare({ parameters, run: share })
