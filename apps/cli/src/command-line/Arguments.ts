/**
 * The command line before it is parsed: `help` is put as the flag that it stands for, and what cannot be a flag is not taken
 * for one. A prompt such as "- list the files"
 * goes behind `--`, the value of a flag is tied to it. Pure.
 */
import { withValue } from "./Flags.ts"

const flagShaped = /^--?[A-Za-z][A-Za-z0-9-]*(?:=.*)?$/su

/** `help sessions show` asks what `sessions show --help` asks: the words after it; null: it asks no such thing. */
export const helped = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> | null =>
  first === "help" && rest.every((word) => !word.startsWith("-")) ? rest : null

/** `memory` alone says what can be done with it before it says what is there. */
export const wantsHelpFirst = (given: ReadonlyArray<string>): boolean => given.length === 1 && given[0] === "memory"

/** Only what stands before a `--`: the rest is operands already. */
export const prepare = (given: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = helped(given)
  if (words !== null) return [...words, "--help"]
  const separator = given.indexOf("--")
  const before = separator === -1 ? given : given.slice(0, separator)
  const operands = separator === -1 ? [] : given.slice(separator + 1)
  const prepared: Array<string> = []
  const moved: Array<string> = []
  for (const argument of before) {
    const previous = prepared.at(-1)
    if (!isOperand(argument)) prepared.push(argument)
    else if (previous !== undefined && withValue.has(previous))
      prepared[prepared.length - 1] = `${previous}=${argument}`
    else moved.push(argument)
  }
  return moved.length === 0 && separator === -1 ? prepared : [...prepared, "--", ...moved, ...operands]
}

/** It begins like a flag and cannot be one. */
const isOperand = (argument: string): boolean =>
  argument.length > 1 && argument.startsWith("-") && !flagShaped.test(argument)
