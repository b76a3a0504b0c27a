/** The checks of `doctor` about models: the model in use, the available keys, and Ollama on this machine. */
import type { Settings } from "@bough/host/config/Settings"
import { LocalServers, SettingNames } from "@bough/models"
import * as Effect from "effect/Effect"
import type { Program } from "../Program.ts"
import * as LoginState from "../session/LoginState.ts"
import { type Check, pass, problem, warning } from "./Check.ts"

/** Requests the list of models from Ollama if it runs on this machine; an Ollama elsewhere is not contacted. */
export const all = Effect.fnUntraced(function* (program: Program, settings: Settings) {
  const { adapters } = program
  const variables = settings.providers.variables
  const chosen = yield* adapters.model(settings).pipe(
    Effect.map(({ name, reason }) => ({ name, check: chosenCheck(program, settings, { name, reason }) })),
    Effect.catch((error) => Effect.succeed({ name: null, check: problem("model", error.message, error.hint) }))
  )
  const address = adapters.ollama.address(variables)
  return [
    chosen.check,
    providers(adapters.configuredModels(variables), settings),
    LocalServers.isLoopback(address)
      ? ollama(address, chosen.name, yield* adapters.ollama.running(variables))
      : pass("ollama", `${address} is on another machine and was not contacted`)
  ]
})

/** The program works if no model is configured, so the check passes; its fix names the ways to configure one. */
const chosenCheck = (program: Program, { model: { name: model } }: Settings, { name, reason }: ChosenModel): Check => {
  const detail = `${name}: ${reason}`
  return model === null && name.startsWith("offline/")
    ? warning("model", detail, waysToConfigure(program.name))
    : pass("model", detail)
}

interface ChosenModel {
  readonly name: string
  readonly reason: string
}

const waysToConfigure = (program: string): string =>
  `run "${program} login" to save a key or log in, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start a model server on this machine and choose it in a conversation`

const providers = (
  configured: ReadonlyArray<{ readonly name: string; readonly reason: string }>,
  settings: Settings
): Check => {
  const logins = Object.keys(settings.providers.logins)
  const keyed = configured
    .map(({ name, reason }) => ({ name: name.slice(0, name.indexOf("/")), reason }))
    .filter(({ name }) => name !== "offline" && !logins.includes(name))
    .map(({ name, reason }) => ({ name, reason: SettingNames.rename(reason, settings.providers.settingNames) }))
  const found = [...logins.map((name) => ({ name, reason: LoginState.describe(settings, name) })), ...keyed]
  return pass(
    "providers",
    found.length === 0
      ? "none configured: set a key such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or log in"
      : found.map(({ name, reason }) => `${name} (${reason})`).join(", ")
  )
}

/** A missing Ollama is a problem only if the configuration uses it. */
const ollama = (address: string, wantedModel: string | null, models: ReadonlyArray<string> | null): Check => {
  const name = "ollama"
  const [provider, model] = wantedModel?.split("/") ?? []
  const isWanted = provider === name && model !== undefined
  if (models === null) {
    const detail = `nothing answers at ${address}`
    return isWanted ? problem(name, detail, 'run "ollama serve"') : pass(name, detail)
  }
  const hasWanted = models.some((found) => found === wantedModel || found === `${wantedModel}:latest`)
  const isMissing = isWanted && (model === "default" ? models.length === 0 : !hasWanted)
  const detail = `${address} has ${models.length === 0 ? "no model" : models.join(", ")}`
  return isMissing
    ? problem(name, detail, `run "ollama pull ${model === "default" ? "llama3.2" : model}"`)
    : pass(name, detail)
}
