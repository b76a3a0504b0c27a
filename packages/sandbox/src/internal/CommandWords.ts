/** The words of a command as lines that a waiting sandbox reads from its gate. */

/** A shell reads each byte by itself. */
const maxBytes = 2048

/** Shells differ about other bytes that they read. */
const plain = /^[\n\x20-\x7e]*$/u

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Null: these words have to be arguments. */
export const encode = (argv: ReadonlyArray<string>): string | null => {
  const text = argv.map(quoted).join(" ")
  if (text.length > maxBytes || !plain.test(text)) return null
  return text
    .split("\n")
    .map((line) => `+${line}\n`)
    .join("")
}

/**
 * Sets the words as the arguments of the shell that runs this, once the line `last` has come. Without it the owner is gone:
 * the shell exits, whatever words have come.
 */
export const reading = (descriptor: number, last: string): string =>
  [
    "bough_words=; bough_line=",
    `while IFS= read -r bough_line <&${descriptor} && [ "$bough_line" != ${last} ]; do bough_words="$bough_words\${bough_line#+}\n"; done`,
    `[ "$bough_line" = ${last} ] || exit`,
    'eval "set -- $bough_words"; unset bough_words bough_line'
  ].join("; ")
