/** `logout`: ends a login at a model provider, or deletes its saved API key. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import { usage } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { toCliFailure } from "../Failures.ts"
import { refuseAgents } from "../io/refuseAgents.ts"
import type { Program } from "../Program.ts"
import * as LoginState from "../session/LoginState.ts"

const parameters = { provider: Shapes.nameArgument("PROVIDER", "Model provider, such as openrouter") }

const logout = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { provider: name }: CommandOptions<typeof parameters>
) {
  yield* refuseAgents(program, "log out")
  const { environment, output } = program
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd }, null).pipe(
    Effect.mapError(toCliFailure)
  )
  if (!LoginState.names(settings).includes(name)) {
    return yield* usage(
      `no login exists for ${JSON.stringify(name)}`,
      `choose ${LoginState.names(settings).join(", ")}`
    )
  }
  const {
    dataDirectory,
    providers: { logins, variables }
  } = settings
  const login = logins[name]
  if (login !== undefined) {
    const ProviderLogin = yield* Effect.promise(() => import("@bough/host/login/ProviderLogin"))
    const wasLoggedIn = yield* ProviderLogin.logOut({ provider: name, login, dataDirectory, variables })
    return output.note(wasLoggedIn ? `logged out at ${name}` : `no login at ${name} was saved`)
  }
  const { removeValue } = yield* Effect.promise(() => import("@bough/host/config/SaveConfigValues"))
  const wasSaved = yield* Effect.mapError(removeValue(program, ["providers", name, "apiKey"]), toCliFailure)
  output.note(wasSaved ? `the key of ${name} is deleted from the configuration` : `no key of ${name} is saved`)
})

export const command = declare({ parameters, run: logout })
