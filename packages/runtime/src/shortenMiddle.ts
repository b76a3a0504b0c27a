/** Cuts a long text in its middle, since the beginning and the end are most informative. */
export const shortenMiddle = (text: string, maxCharacters: number): string => {
  if (text.length <= maxCharacters) return text
  const half = Math.floor(maxCharacters / 2)
  return `${text.slice(0, half)} […] ${text.slice(text.length - half)}`
}
