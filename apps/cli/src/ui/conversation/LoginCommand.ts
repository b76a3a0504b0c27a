/**
 * `/login`: logs in with an account at a provider, or asks for its key without echo. The key is used from now on, and
 * saved for later conversations.
 */
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { usage } from "../../CliFailure.ts"
import * as AccountLogin from "../../session/AccountLogin.ts"
import * as LoginState from "../../session/LoginState.ts"
import * as ProviderKey from "../../session/ProviderKey.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import * as ModelCommands from "./ModelCommands.ts"
import type { SessionWithModel } from "./OpenedSession.ts"

export const login = (context: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* () {
    const { ui, program, settings } = context
    if (!program.terminal.isInteractive) {
      const hint = `"${program.name} config set providers.NAME.apiKey -" reads one from stdin`
      return yield* usage("/login needs a terminal", hint)
    }
    const [named = "", ...others] = argument.split(/\s+/u)
    if (others.length > 0) {
      return yield* usage("/login takes only the provider", "it asks for the key and does not show it")
    }
    const chosen = named === "" ? yield* choose(context, open) : named
    if (chosen === null) return "stay"
    const provider = ProviderKey.providers.find(({ name }) => name === chosen)
    if (AccountLogin.isOffered(chosen, settings)) return yield* withAccount(context, open, chosen)
    if (provider === undefined) {
      // The argument may be a key, so the message does not repeat it.
      return yield* usage("no provider with this name has a login", `choose ${LoginState.names(settings).join(", ")}`)
    }
    const typed = yield* ui.dialogs.readHidden(text`API key of ${Escape.line(provider.name)} (typing is not shown): `)
    if (typed === null || typed.trim() === "") {
      ui.note("no key was given; nothing has changed")
      return "stay"
    }
    const key = yield* ProviderKey.read(typed)
    const transition: Transition = yield* ModelCommands.useKey(context, open, { provider, key })
    const variable = ProviderKey.overridingVariable(settings.environment, provider, key)
    if (variable !== null) ui.note(`${variable} is set in the environment and will override the saved key; unset it`)
    return transition
  })

/** Logs in outside of the screen, because the user may paste an address. */
const withAccount = (context: ConversationContext, open: SessionWithModel, name: string): CommandEffect =>
  Effect.gen(function* () {
    const { program, settings, ui } = context
    const result = yield* ui.dialogs.withoutScreen(
      Effect.result(AccountLogin.logIn(program, settings, { name, flow: null }))
    )
    const key = yield* Effect.fromResult(result)
    const provider = ProviderKey.providers.find((one) => one.name === name)
    ui.note(`logged in at ${name}; "${program.name} logout ${name}" ends it`)
    if (key !== null && provider !== undefined) return yield* ModelCommands.useKey(context, open, { provider, key })
    if (open.chosen.name.startsWith(`${name}/`)) return yield* ModelCommands.useLogin(context, open)
    ui.note(`/model ${name} uses it`)
    return "stay"
  })

const choose = (
  { settings, ui }: ConversationContext,
  { chosen: { name } }: SessionWithModel
): Effect.Effect<string | null> =>
  ui.dialogs.choose({
    command: "login",
    now: LoginState.names(settings).find((one) => name.startsWith(`${one}/`)) ?? "no provider with a login",
    options: LoginState.listing(settings),
    shownFirst: "name",
    hint: "/model lists the servers of this machine"
  })
