/** The theme that the user chose: one that follows the terminal's background, a built-in one, or a file. Pure. */
import * as Colour from "@bough/tui/theme/Colour"
import * as Theme from "@bough/tui/theme/Theme"

/** `auto`: dark or light, like the terminal's background. */
export type ThemeChoice =
  | { readonly _tag: "Auto" }
  | { readonly _tag: "Colours"; readonly name: string; readonly colours: Theme.Colours }

export const auto: ThemeChoice = { _tag: "Auto" }

/** The names of themes that always exist. */
export const builtIn = ["auto", "dark", "light"] as const

/** Returns the built-in choice of this name; null: there is none. */
export const fromName = (name: string): ThemeChoice | null => {
  if (name === "auto") return auto
  return name === "dark" || name === "light" ? { _tag: "Colours", name, colours: Theme.builtIn[name] } : null
}

/** The theme of a choice on a terminal with this background and these variables. */
export const themeOf = (
  choice: ThemeChoice,
  background: Theme.Background,
  variables: Readonly<Record<string, string | undefined>>
): Theme.Theme =>
  choice._tag === "Auto" ? Theme.themeFor(background) : Theme.fromColours(choice.colours, depthOf(variables))

/** The number of colours that the terminal declares. */
export const depthOf = ({ COLORTERM: colours = "" }: Readonly<Record<string, string | undefined>>): Colour.Depth =>
  colours === "truecolor" || colours === "24bit" ? "true" : "256"
