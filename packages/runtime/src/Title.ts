/** Makes a session's title in lists: the first line of its first message, at most 80 characters. */
export const titleOf = (text: string): string => {
  const line = text.trim().split("\n", 1)[0].trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
