/** `/login`: asks for a provider's key without echo, uses it from now on, and saves it for later conversations. */
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import * as ProviderKey from "../../session/ProviderKey.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import * as ModelCommands from "./ModelCommands.ts"
import type { Open } from "./OpenedSession.ts"

export const login = (conversing: ConversationContext, open: Open, given: string): CommandEffect =>
  Effect.gen(function* () {
    const { ui, program, settings } = conversing
    if (!program.terminal.isInteractive) {
      const hint = `"${program.name} config set providers.NAME.apiKey -" reads one from stdin`
      return yield* usage("/login needs a terminal", hint)
    }
    const [named = "", ...others] = given.split(/\s+/u)
    if (others.length > 0) {
      return yield* usage("/login takes the provider alone", "it asks for the key and does not show it")
    }
    const provider = yield* providerFrom(conversing, open, named)
    if (provider === null) return "here"
    const typed = yield* ui.dialogs.readHidden(text`API key of ${Escape.line(provider.name)}, which is not shown: `)
    if (typed === null || typed.trim() === "") {
      ui.note("no key was given; nothing has changed")
      return "here"
    }
    const key = yield* ProviderKey.read(typed)
    const transition: Transition = yield* ModelCommands.useKey(conversing, open, { provider, key })
    const other = ProviderKey.overridingVariable(settings.environment, provider, key)
    if (other !== null) ui.note(`${other} is set in the environment and will override the saved key; unset it`)
    return transition
  })

const providerFrom = Effect.fnUntraced(function* (
  { ui }: ConversationContext,
  { chosen: { name, variables } }: Open,
  named: string
): Effect.fn.Return<ProviderKey.KeyProvider | null, CliFailure> {
  const { providers } = ProviderKey
  const chosen =
    named === ""
      ? yield* ui.dialogs.choose({
          command: "login",
          now: ProviderKey.providerOf(name)?.name ?? "no provider with a key",
          options: providers.map((provider) => [
            provider.name,
            provider.overriding.some((variable) => variables[variable]) ? "has a key" : "has no key yet"
          ]),
          knownBy: "name",
          hint: "/model lists the servers of this machine"
        })
      : named
  if (chosen === null) return null
  const found = providers.find(({ name }) => name === chosen)
  // The argument may be a key, so the message does not repeat it.
  return (
    found ??
    (yield* usage("no provider with this name takes a key", `choose ${providers.map(({ name }) => name).join(", ")}`))
  )
})
