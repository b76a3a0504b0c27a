/** The arguments that the editor completes after a command. */
import type { Settings } from "@bough/host/config/Settings"
import * as SessionMode from "@bough/host/session/SessionMode"
import * as Effort from "@bough/models/Effort"
import type { SessionStore } from "@bough/runtime"
import type { ArgumentOptions } from "@bough/tui/editor/InputSyntax"
import * as Effect from "effect/Effect"
import type { Program } from "../../Program.ts"
import * as LoginState from "../../session/LoginState.ts"
import * as ThemeFiles from "../../themes/ThemeFiles.ts"
import * as ModelNames from "../conversation/ModelNames.ts"

type Arguments = ReadonlyArray<readonly [command: string, options: ArgumentOptions]>

const namesOnly = (names: ReadonlyArray<string>): ArgumentOptions => names.map((name) => [name, ""] as const)

/** Returns the arguments that are known in advance. */
export const initial = ({ adapters }: Program, settings: Settings, openModel: string): Arguments => {
  const {
    extensions: { agents },
    providers: { variables: providerVariables }
  } = settings
  const configured = adapters.configuredModels(providerVariables)
  const ready = configured.map(({ name, reason }) => ({ model: name, reason }))
  const isListed = ready.some(({ model }) => model === openModel)
  const models = ModelNames.all(isListed ? ready : [{ model: openModel, reason: "" }, ...ready])
  return [
    // The editor lists these arguments when the user begins to type one.
    ["sessions", []],
    ["resume", []],
    ["theme", []],
    ["effort", namesOnly(Effort.levels)],
    ["model", models.map(({ model, reason }) => [model, reason] as const)],
    ["mode", SessionMode.modes.map((name) => [name, SessionMode.descriptions[name]] as const)],
    ["login", namesOnly(LoginState.names(settings))],
    ["agents", agents.map(({ description, name }) => [name, description] as const)]
  ]
}

const maxSessions = 20

/**
 * Returns the current arguments of a command; null: they do not change. Sessions begin and get other titles in every
 * terminal, so they are read each time.
 */
export const current = (
  store: SessionStore.SessionStore["Service"],
  { environment, workspace: { root: workspaceRoot } }: Settings,
  command: string
): Effect.Effect<ArgumentOptions | null> => {
  switch (command) {
    case "sessions":
    case "resume":
      return store.list({ workspaceRoot, limit: maxSessions }).pipe(
        Effect.map((found) => found.map(({ sessionId, title }) => [sessionId, title] as const)),
        // The command itself reports the fault.
        Effect.orElseSucceed(() => null)
      )
    case "theme":
      return Effect.map(ThemeFiles.names(environment), namesOnly)
    default:
      return Effect.succeed(null)
  }
}
