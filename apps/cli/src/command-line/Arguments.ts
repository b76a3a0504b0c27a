/**
 * Rewrites the command line before it is parsed: `help` becomes `--help`, and an argument that cannot be a flag becomes
 * an operand. A prompt such as "- list the files" moves behind `--`; the value of a flag is joined to it. Pure.
 */

const flagShaped = /^--?[A-Za-z][A-Za-z0-9-]*(?:=.*)?$/su

/**
 * Returns the words after `help`, so that the caller can append `--help`; null: the command line does not begin with
 * `help`.
 */
export const wordsAfterHelp = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> | null =>
  first === "help" && rest.every((word) => !word.startsWith("-")) ? rest : null

/** Changes only the words before a `--`: later words are operands already. */
export const prepare = (args: ReadonlyArray<string>, flagsWithValue: ReadonlySet<string>): ReadonlyArray<string> => {
  const words = wordsAfterHelp(args)
  if (words !== null) return [...words, "--help"]
  const separator = args.indexOf("--")
  const before = separator === -1 ? args : args.slice(0, separator)
  const operands = separator === -1 ? [] : args.slice(separator + 1)
  const prepared: Array<string> = []
  const moved: Array<string> = []
  for (const argument of before) {
    const previous = prepared.at(-1)
    if (!isOperand(argument)) prepared.push(argument)
    else if (previous !== undefined && flagsWithValue.has(previous))
      prepared[prepared.length - 1] = `${previous}=${argument}`
    else moved.push(argument)
  }
  return moved.length === 0 && separator === -1 ? prepared : [...prepared, "--", ...moved, ...operands]
}

/** True if the argument begins like a flag and cannot be one. */
const isOperand = (argument: string): boolean =>
  argument.length > 1 && argument.startsWith("-") && !flagShaped.test(argument)
