/** Formats a list for the model, one item per line. */

/** `none`: the text of an empty list. `more`: there are more items than are listed. */
interface Ends {
  readonly none: string
  readonly more: boolean
}

export const lines = (items: ReadonlyArray<string>, { more, none }: Ends): string => {
  if (items.length === 0) return `[${none}]`
  return (more ? [...items, `[there are more; raise limit, or ask for less]`] : items).join("\n")
}

/** Formats a name; a name that could be mistaken for another line is written as JSON. */
export const pathText = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path)
