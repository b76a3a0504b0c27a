/** The ways in which a line that was recalled comes back: numbered, quoted, with or without its full stop. Pure. */

const numbering = /^[\s>*+-]*\d{1,2}[.)]\s+/u
const opening = /^[\s>*+"'`“„«-]+/u
const ending = /[\s"'`”“»,;.]+$/u

/** As it is written, then without what stands around it, then as a sentence; each once. */
export const textVariants = (line: string): ReadonlyArray<string> => {
  const bare = line.replace(numbering, "").replace(opening, "").replace(ending, "")
  return bare === "" ? [line] : [...new Set([line, bare, `${bare}.`])]
}
