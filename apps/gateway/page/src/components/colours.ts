/** Light or dark colours, as in the settings of the system unless the user has chosen. */

export type Colours = "system" | "light" | "dark"

const key = "colours"

export const colours = (): Colours => {
  const chosen = localStorage.getItem(key)
  return chosen === "light" || chosen === "dark" ? chosen : "system"
}

export const setColours = (chosen: Colours): void => {
  localStorage.setItem(key, chosen)
  document.documentElement.dataset["colours"] = chosen
}

setColours(colours())
