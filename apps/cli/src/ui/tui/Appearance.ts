/** The look of the screen: the chosen theme, with the facts of the terminal on which it depends. Pure. */
import * as Hyperlink from "@bough/tui/text/Hyperlink"
import type * as Colour from "@bough/tui/theme/Colour"
import * as Theme from "@bough/tui/theme/Theme"
import * as Tint from "@bough/tui/theme/Tint"
import * as ThemeChoice from "../../themes/ThemeChoice.ts"

export interface Appearance {
  readonly choice: ThemeChoice.ThemeChoice
  readonly background: Theme.Background
  /** The background that the terminal reported; null: it did not. */
  readonly ground: Colour.Rgb | null
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly workspaceRoot: string
}

/**
 * Chooses the theme. There are no colours if NO_COLOR is set (https://no-color.org). The console of Linux has no links,
 * because it would show their addresses as text.
 */
export const themeOf = ({ background, choice, ground, variables, workspaceRoot }: Appearance): Theme.Theme => {
  if ((variables["NO_COLOR"] ?? "") !== "") return Theme.none
  const hasTints = ThemeChoice.depthOf(variables) === "true"
  const theme = Tint.withGround(ThemeChoice.themeOf(choice, background, variables), hasTints ? ground : null)
  return variables["TERM"] === "linux" ? theme : { ...theme, hyperlink: Hyperlink.forWorkspace(workspaceRoot) }
}
