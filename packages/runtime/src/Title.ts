/** Makes a session's title in lists: the first line of its first message, at most 80 characters. */
export const titleOf = (text: string): string => {
  const line = text.trim().split("\n", 1)[0].trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

const mark = / \(fork(?: (\d+))?\)$/u

/** Returns the title of a fork, which lists show beside its origin: `fix the build (fork)`, then `(fork 2)`. */
export const forkOf = (title: string): string => {
  if (title === "") return ""
  const found = mark.exec(title)
  if (found === null) return `${title} (fork)`
  return `${title.slice(0, found.index)} (fork ${Number(found[1] ?? 1) + 1})`
}
