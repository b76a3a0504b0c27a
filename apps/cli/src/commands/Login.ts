/** `login`: logs the user in at a model provider with an account, or saves the provider's API key. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { exitCode, exitSilently, usage } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { toCliFailure } from "../Failures.ts"
import * as ListText from "../format/ListText.ts"
import * as ReadInput from "../io/ReadInput.ts"
import { refuseAgents } from "../io/refuseAgents.ts"
import type { Program } from "../Program.ts"
import * as AccountLogin from "../session/AccountLogin.ts"
import * as LoginState from "../session/LoginState.ts"
import * as ProviderKey from "../session/ProviderKey.ts"

const parameters = {
  provider: Shapes.optionalArgument("PROVIDER", "Model provider, such as openrouter; default: list them"),
  device: Shapes.toggle("device", "Log in by a code that is typed in a browser on any device")
}

const login = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { device, provider: name }: CommandOptions<typeof parameters>
) {
  yield* refuseAgents(program, "log in")
  const { environment, output } = program
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd }, null).pipe(
    Effect.mapError(toCliFailure)
  )
  if (name === null) return list(program, settings)
  if (AccountLogin.isOffered(name, settings)) {
    if (device && settings.providers.logins[name] === undefined)
      return yield* usage(`${name} offers no login by a code`, "")
    const key = yield* AccountLogin.logIn(program, settings, { name, flow: device ? "device" : null })
    if (key !== null) yield* save(program, name, key)
    return output.note(`logged in at ${name}; "${program.name} logout ${name}" ends it`)
  }
  if (device) return yield* usage(`${name} offers no login by a code`, "")
  const found = ProviderKey.providers.find((one) => one.name === name)
  if (found === undefined) {
    const known = LoginState.names(settings).join(", ")
    return yield* usage(`no login exists for ${JSON.stringify(name)}`, `choose ${known}`)
  }
  const key = yield* ProviderKey.read(yield* readKey(program, name))
  yield* save(program, name, key)
  output.note(`the key of ${name} is saved; "${program.name} logout ${name}" deletes it`)
})

const readKey = ({ name: program, stdin, terminal }: Program, provider: string) =>
  terminal.isInteractive
    ? Effect.flatMap(terminal.readHidden(text`API key of ${Escape.line(provider)} (typing is not shown): `), (typed) =>
        typed === null || typed.trim() === "" ? Effect.fail(exitSilently(exitCode.interrupted)) : Effect.succeed(typed)
      )
    : Effect.map(
        ReadInput.bytes(stdin(), { subject: "the key", hint: `pipe it in: ${program} login ${provider} < FILE` }),
        (bytes) => bytes.toString("utf8")
      )

const save = Effect.fnUntraced(function* (program: Program, name: string, key: string) {
  const { saveValues } = yield* Effect.promise(() => import("@bough/host/config/SaveConfigValues"))
  const file = yield* Effect.mapError(
    saveValues(program, [{ path: ["providers", name, "apiKey"], value: key }]),
    toCliFailure
  )
  program.output.note(`saved in ${file}`)
})

const list = ({ output }: Program, settings: SettingsFile.Settings): void => {
  for (const row of ListText.rows(LoginState.listing(settings), output.columns())) output.noteEscaped(row)
}

export const command = declare({ parameters, run: login })
