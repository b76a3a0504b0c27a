/** `acp`: serves a code editor over the Agent Client Protocol. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as SessionFlags from "../command-line/flags/SessionFlags.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"

const { addDir, agent, allow, approve, effort, maxCostUsd, maxSteps, model, trust } = SessionFlags.turns
const parameters = { model, agent, effort, approve, allow, addDir, maxSteps, maxCostUsd, trust }

const serve = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  options: CommandOptions<typeof parameters>
) {
  const overrides = { ...SettingsFile.noOverrides, ...options }
  const { dataDirectory } = yield* SettingsFile.load(program.environment, { ...overrides, cwd: common.cwd }, null)
  yield* Effect.gen(function* () {
    const [JsonRpc, Agent] = yield* Effect.promise(() =>
      Promise.all([import("../acp/JsonRpc.ts"), import("../acp/Agent.ts")])
    )
    yield* JsonRpc.serve({ stdin: program.stdin(), stdout: program.stdout }, (connection) =>
      Agent.handlers({ program, connection, overrides })
    )
  }).pipe(Effect.scoped, Effect.provide(program.adapters.store(dataDirectory)), Effect.mapError(toCliFailure))
})

export const command = declare({
  description:
    "Serve a code editor over the Agent Client Protocol, on the standard streams. The editor starts this command, shows the conversation, and asks its user for approvals",
  parameters,
  run: serve
})
