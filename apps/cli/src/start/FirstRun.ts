/**
 * The first conversation without a configured model: models found in the environment and on this machine are offered
 * once, and the choice is saved in the user's configuration. Nothing is sent to another machine before the choice. The
 * questions are plain lines before any screen, and so the same in both UIs.
 */
import * as Home from "@bough/host/config/Home"
import type { Settings } from "@bough/host/config/Settings"
import * as ModelCandidates from "@bough/host/model/ModelCandidates"
import * as Escape from "@bough/tui/text/Escape"
import * as Layout from "@bough/tui/text/Layout"
import { join as joinText, text } from "@bough/tui/text/SafeText"
import type { Paint } from "@bough/tui/theme/Style"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { exitCode, exitSilently, type CliFailure } from "../CliFailure.ts"
import * as ListText from "../format/ListText.ts"
import type { Program } from "../Program.ts"
import * as AccountLogin from "../session/AccountLogin.ts"
import * as ProviderKey from "../session/ProviderKey.ts"
import * as ServerChoice from "./ServerChoice.ts"

const offline = "offline/planner"

/**
 * Returns the settings with the chosen model; unchanged if one is configured or no user can be asked. The end of input
 * ends the program.
 */
export const choose = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings
): Effect.fn.Return<Settings, CliFailure> {
  if (settings.model.name !== null || !program.terminal.isInteractive) return settings
  const { adapters } = program
  const variables = settings.providers.variables
  const candidates = ModelCandidates.modelCandidates(
    adapters.configuredModels(variables),
    yield* adapters.localServers(variables)
  )
  // A store without a model: the user has answered before, or has used the demo.
  if (candidates.length === 0 && existsSync(database(settings))) return settings
  if (candidates.length === 0) printNothingFound(program, settings)
  else printFound(program, settings, candidates)
  const chosen = yield* answer(program, settings, candidates)
  return chosen === null ? yield* exitSilently(exitCode.done) : yield* useAnswer(program, settings, chosen)
})

const database = ({ dataDirectory }: Settings): string => join(dataDirectory, "bough.db")

/** Formats text in rows that break between words. */
const printLine = ({ output }: Program, line: string, style: Paint = (row) => row): void => {
  for (const row of Layout.sentence(Escape.line(line), output.columns())) output.noteEscaped(style(row))
}

const printNothingFound = (program: Program, settings: Settings): void => {
  printLine(program, "No API key is set in the environment, and no model server is running on this machine.")
  printLine(
    program,
    `Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama; "${program.name} doctor" shows more. Or paste a key now: it is not shown.`
  )
  for (const location of storedFolders(settings)) printLine(program, location)
}

const storedFolders = (settings: Settings): ReadonlyArray<string> => {
  const { home } = settings.environment
  const [config, data] = [Home.configFile(settings.environment), database(settings)].map((path) =>
    Home.displayPath(path, home)
  )
  return [`Configuration: ${config}`, `Conversations are stored only on this machine: ${data}`]
}

const printFound = (
  program: Program,
  settings: Settings,
  candidates: ReadonlyArray<ModelCandidates.ModelCandidate>
): void => {
  const { output } = program
  const { bold, dim } = output.style
  const shown = candidates.slice(0, ModelCandidates.maxChoices)
  printLine(program, "Choose a model", bold)
  printLine(
    program,
    "Checked: names of API keys in the environment, model servers on this machine. Nothing was sent elsewhere.",
    dim
  )
  const listed = ListText.numberLines(shown.map(({ model, reason }) => [model, reason]))
  for (const row of ListText.rows(listed, output.columns())) output.noteEscaped(row)
  if (candidates.length > shown.length) {
    printLine(program, `     … ${candidates.length - shown.length} more; m: enter the name of any model`, dim)
  }
  for (const location of storedFolders(settings)) printLine(program, location, dim)
}

/** A model, with the key that the user pasted for it. */
interface Answer extends ModelCandidates.ModelCandidate {
  readonly pasted?: { readonly provider: ProviderKey.KeyProvider; readonly key: string }
}

/** Null: the end of input. */
const answer = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  candidates: ReadonlyArray<ModelCandidates.ModelCandidate>
): Effect.fn.Return<Answer | null> {
  const { output, terminal } = program
  const digits = candidates.slice(0, ModelCandidates.maxChoices).map((_, index) => `${index + 1}`)
  const range = digits.length === 1 ? text`1` : text`1–${digits.length}`
  const ways = [
    ...(digits.length === 0 ? [] : [text`${range} use and save as default`]),
    text`a log in at ${AccountLogin.keyProvider}`,
    text`k paste a key`,
    text`u server address`,
    text`m type a name`,
    text`s offline demo`
  ]
  while (true) {
    const key = yield* terminal.readKey([...digits, "a", "k", "u", "m", "s"], () => {
      for (const [row, line] of Layout.join(ways, text` · `, output.columns() - 2).entries()) {
        output.noteEscaped(text`${row === 0 ? "└" : " "} ${line}`)
      }
    })

    if (key === null) return null
    if (key === "s") return { model: offline, reason: "", baseUrl: null }
    const chosen: Answer | null =
      key === "m"
        ? yield* byName(program)
        : key === "a"
          ? yield* byAccount(program, settings)
          : key === "k"
            ? yield* byKey(program, settings)
            : key === "u"
              ? yield* ServerChoice.choose(program, settings)
              : (candidates[Number(key) - 1] ?? null)
    if (chosen !== null && (yield* isUsable(program, settings, chosen))) return chosen
  }
})

const byName = ({ terminal }: Program): Effect.Effect<ModelCandidates.ModelCandidate | null> =>
  Effect.map(terminal.readLine(text`model, as provider/model (Enter to go back): `), (line) => {
    const model = line._tag === "Line" ? line.text.trim() : ""
    return model === "" ? null : { model, reason: "", baseUrl: null }
  })

/** Null: the user did not log in. */
const byAccount = (program: Program, settings: Settings): Effect.Effect<Answer | null> =>
  AccountLogin.logIn(program, settings, { name: AccountLogin.keyProvider, flow: null }).pipe(
    Effect.map((key) => {
      const provider = ProviderKey.providerOf(AccountLogin.keyProvider)
      return key === null || provider === null ? null : withPasted(program, settings, { provider, key })
    }),
    Effect.catch(({ hint, message }) =>
      Effect.sync(() => {
        printLine(program, `${message} — ${hint}`)
        return null
      })
    )
  )

/** The provider's default model, with the key. */
const withPasted = (program: Program, settings: Settings, pasted: NonNullable<Answer["pasted"]>): Answer => {
  const { key, provider } = pasted
  const variables = ProviderKey.withKey(settings.providers.variables, provider, key)
  const model = program.adapters.configuredModels(variables).find(({ name }) => name.startsWith(`${provider.name}/`))
  return { model: model?.name ?? provider.name, reason: "", baseUrl: null, pasted }
}

/** Null: no key was given. */
const byKey = Effect.fnUntraced(function* (program: Program, settings: Settings): Effect.fn.Return<Answer | null> {
  const names = ProviderKey.providers.map(({ name }) => Escape.line(name))
  const prompt = text`API key (${joinText(names, text`, `)}), typing is not shown; Enter to go back: `
  const typed = yield* program.terminal.readHidden(prompt)
  if (typed === null || typed.trim() === "") return null
  return yield* ProviderKey.read(typed).pipe(
    Effect.flatMap((key) => Effect.map(askIssuer(program, key), (provider) => ({ key, provider }))),
    Effect.map(({ key, provider }) => (provider === null ? null : withPasted(program, settings, { provider, key }))),
    Effect.catch(({ hint, message }) =>
      Effect.sync(() => {
        printLine(program, `${message} — ${hint}`)
        return null
      })
    )
  )
})

/** Returns the provider of the key, for which it asks if the key does not tell. Null: the user went back. */
const askIssuer = ({ output, terminal }: Program, key: string): Effect.Effect<ProviderKey.KeyProvider | null> => {
  const known = ProviderKey.issuerOf(key)
  if (known !== null) return Effect.succeed(known)
  const { providers } = ProviderKey
  const choices = providers.map(({ name }, index) => text`${index + 1} ${Escape.line(name)}`)
  const pressed = terminal.readKey([...providers.map((_, index) => `${index + 1}`), "b"], () =>
    output.noteEscaped(text`└ provider of the key: ${joinText(choices, text` · `)} · b back`)
  )
  return Effect.map(pressed, (digit) => providers[Number(digit) - 1] ?? null)
}

/** True if the model appears usable, without a request to it. */
const isUsable = (program: Program, settings: Settings, chosen: Answer): Effect.Effect<boolean> =>
  program.adapters.model(withModel(settings, chosen)).pipe(
    Effect.as(true),
    Effect.catch(({ hint, message }) => {
      printLine(program, `${message} — ${hint}`)
      return Effect.succeed(false)
    })
  )

const withModel = (settings: Settings, { baseUrl, model, pasted }: Answer): Settings => {
  const providerVariables = settings.providers.variables
  const keyed =
    pasted === undefined ? providerVariables : ProviderKey.withKey(providerVariables, pasted.provider, pasted.key)
  const variables = baseUrl === null ? keyed : { ...keyed, OPENAI_COMPATIBLE_BASE_URL: baseUrl }
  return { ...ProviderKey.withVariables(settings, variables), model: { ...settings.model, name: model } }
}

/** Applies a choice that cannot be saved to this conversation alone. */
const useAnswer = Effect.fnUntraced(function* (program: Program, settings: Settings, chosen: Answer) {
  const { name } = program
  yield* remember(program, chosen).pipe(
    Effect.map((file) =>
      printLine(program, `${chosen.model} is saved in ${file}; "${name} config set model NAME" changes it`)
    ),
    Effect.catch(({ hint, message }) => Effect.sync(() => printLine(program, `${message} — ${hint}`)))
  )
  return withModel(settings, chosen)
})

// Loaded when there is a value to save: it includes the code that edits configuration files.
const remember = (program: Program, { baseUrl, model, pasted }: Answer) =>
  Effect.flatMap(
    Effect.promise(() => import("@bough/host/config/SaveConfigValues")),
    (Remember) =>
      Remember.saveValues(program, [
        ...Remember.modelValues(model, baseUrl),
        ...(pasted === undefined ? [] : [ProviderKey.configValue(pasted.provider, pasted.key)])
      ])
  )
