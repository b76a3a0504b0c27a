/** Logs the user in with an account at a model provider, in the terminal: in the browser, or by a code on any device. */
import type { Settings } from "@bough/host/config/Settings"
import { failed as hostFailed } from "@bough/host/HostFailure"
import type * as ProviderLogin from "@bough/host/login/ProviderLogin"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { type CliFailure, failure } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"
import { openBrowser } from "../io/OpenBrowser.ts"
import type { Program } from "../Program.ts"

/** The provider whose login ends in an API key, which is saved like a pasted one. */
export const keyProvider = "openrouter"

/** A user has this long in the browser. */
const timeoutMinutes = 10

/** True if the user can log in at the provider with an account. */
export const isOffered = (name: string, { providers: { logins } }: Pick<Settings, "providers">): boolean =>
  name === keyProvider || Object.hasOwn(logins, name)

/** The providers at which the user can log in with an account. */
export const names = ({ providers: { logins } }: Pick<Settings, "providers">): ReadonlyArray<string> => [
  ...new Set([...Object.keys(logins), keyProvider])
]

export interface AccountLogin {
  readonly name: string
  /** Null: the flow of the configuration. */
  readonly flow: "browser" | "device" | null
}

/** Returns the API key in which the login ended; null: its tokens are stored. */
export const logIn = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { flow, name }: AccountLogin
): Effect.fn.Return<string | null, CliFailure> {
  const {
    dataDirectory,
    providers: { logins, variables }
  } = settings
  const login = logins[name]
  const user = userAt(program, name)
  const working =
    login === undefined
      ? Effect.flatMap(
          Effect.promise(() => import("@bough/host/login/OpenRouterLogin")),
          (OpenRouterLogin) => OpenRouterLogin.logIn(variables, user)
        )
      : Effect.flatMap(
          Effect.promise(() => import("@bough/host/login/ProviderLogin")),
          (ProviderLogins) =>
            Effect.as(
              ProviderLogins.logIn({ provider: name, login, dataDirectory, variables }, user, flow ?? undefined),
              null
            )
        )
  return yield* working.pipe(
    Effect.scoped,
    Effect.mapError(toCliFailure),
    Effect.timeoutOrElse({
      duration: `${timeoutMinutes} minutes`,
      orElse: () =>
        Effect.fail(
          failure(`not logged in at ${name}: no answer came in ${timeoutMinutes} minutes`, "try to log in again")
        )
    })
  )
})

const userAt = (program: Program, name: string): ProviderLogin.LoginUser => {
  const { output, terminal } = program
  return {
    show: ({ code, url }) =>
      Effect.sync(() => {
        openBrowser(program, url)
        output.note(`open this page in a browser to log in at ${name}:`)
        output.noteEscaped(text`  ${Escape.line(url)}`)
        if (code === null) return
        output.noteEscaped(text`and type this code there: ${Escape.line(code)}`)
        output.note("waiting for the login; Ctrl-C cancels")
      }),
    paste: (isOwn) =>
      Effect.gen(function* () {
        if (!terminal.isInteractive) return yield* Effect.never
        output.note(
          "waiting for the browser. If it runs on another machine, paste the address of the page that it could not load"
        )
        while (true) {
          const line = yield* terminal.readLine(text`address (Ctrl-C stops): `)
          if (line._tag === "Interrupted") return yield* hostFailed(`not logged in at ${name}`, "the login was stopped")
          if (line._tag === "End") return yield* Effect.never
          if (isOwn(line.text)) return line.text
          if (line.text.trim() !== "") output.note("this is not the address of this login: copy all of it")
        }
      })
  }
}
