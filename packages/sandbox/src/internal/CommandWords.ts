/** Encodes the words of a command as lines that a prepared sandbox reads from its gate. */

/** The maximum length: longer words would be slow, because the shell reads byte by byte. */
const maxBytes = 2048

/** Matches text that all shells read in the same way. */
const plain = /^[\n\x20-\x7e]*$/u

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Returns the lines; null: these words can only be passed as arguments. */
export const encode = (argv: ReadonlyArray<string>): string | null => {
  const text = argv.map(quote).join(" ")
  if (text.length > maxBytes || !plain.test(text)) return null
  return text
    .split("\n")
    .map((line) => `+${line}\n`)
    .join("")
}

/**
 * The shell script that reads the words up to the line `last`, and makes them its arguments. If the input ends before
 * that line, the owner has ended, and the shell exits.
 */
export const readFrom = (descriptor: number, last: string): string =>
  [
    "bough_words=; bough_line=",
    `while IFS= read -r bough_line <&${descriptor} && [ "$bough_line" != ${last} ]; do bough_words="$bough_words\${bough_line#+}\n"; done`,
    `[ "$bough_line" = ${last} ] || exit`,
    'eval "set -- $bough_words"; unset bough_words bough_line'
  ].join("; ")
