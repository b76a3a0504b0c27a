/** The forms in which a model may repeat a recalled line: numbered, quoted, with or without its full stop. Pure. */

const numbering = /^[\s>*+-]*\d{1,2}[.)]\s+/u
const opening = /^[\s>*+"'`“„«-]+/u
const ending = /(?<![\s"'`”“»,;.])[\s"'`”“»,;.]+$/u

/** Returns the line as written, then without surrounding marks, then as a sentence, without repetition. */
export const textVariants = (line: string): ReadonlyArray<string> => {
  const unmarked = line.replace(numbering, "").replace(opening, "").replace(ending, "")
  return unmarked === "" ? [line] : [...new Set([line, unmarked, `${unmarked}.`])]
}
