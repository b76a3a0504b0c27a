/** `/theme`: changes the colours of the conversation, and saves the choice. */
import * as Picker from "@bough/tui/picker/Picker"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as SavedChoice from "./SavedChoice.ts"

export const theme = (
  { ui, program, settings }: ConversationContext,
  _: SessionWithModel,
  argument: string
): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure> {
    if (ui.theme === null) return yield* usage("the plain interface has no theme", "")
    const name = argument === "" ? yield* choose({ ui, settings }) : argument
    if (name === null) return "stay"
    yield* ui.theme(name)
    const saved = yield* SavedChoice.save(program, [{ path: ["terminal", "theme"], value: name }])
    ui.note(`Theme ${name} (${saved})`)
    return "stay"
  })

const choose = Effect.fnUntraced(function* ({ ui, settings }: Pick<ConversationContext, "ui" | "settings">) {
  // Loaded with the screen, which has already read one.
  const { names } = yield* Effect.promise(() => import("../../themes/ThemeFiles.ts"))
  const items = (yield* names(settings.environment)).map((name) =>
    Picker.item(name, { detail: descriptions[name] ?? "" })
  )
  return yield* ui.dialogs.pick({ title: "Theme", verb: "uses it", items, current: settings.terminal.theme })
})

const descriptions: Readonly<Record<string, string>> = {
  auto: "dark or light, like the terminal's background",
  dark: "the terminal's own colours on a dark background",
  light: "the terminal's own colours on a light background"
}
