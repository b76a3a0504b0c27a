/**
 * Moves the flags of a command that the user wrote before its name behind the name: `bough --model x run hi` is
 * `bough run --model x hi`. The parser accepts only the flags of every command there. Pure.
 */
import * as LoadedCommand from "./LoadedCommand.ts"

/** Leaves a flag that the command lacks in place, so that the parser reports it. */
export const move = (
  args: ReadonlyArray<string>,
  commands: ReadonlyArray<LoadedCommand.LoadedCommand>,
  flagsWithValue: ReadonlySet<string>
): ReadonlyArray<string> => {
  const flags = leadingFlags(args, flagsWithValue)
  const rest = args.slice(flags.flat().length)
  const path = pathOf(rest, commands)
  const command = path.at(-1)
  if (command === undefined) return args
  const commandFlags = LoadedCommand.flagNames(command)
  const isMoved = ([flag]: ReadonlyArray<string>): boolean => commandFlags.has(flag.split("=", 1)[0])
  return [
    ...flags.filter((flag) => !isMoved(flag)).flat(),
    ...rest.slice(0, path.length),
    ...flags.filter(isMoved).flat(),
    ...rest.slice(path.length)
  ]
}

/** Returns the flags before the first other word, each with its value if that is a word of its own. */
const leadingFlags = (
  args: ReadonlyArray<string>,
  flagsWithValue: ReadonlySet<string>
): ReadonlyArray<ReadonlyArray<string>> => {
  const flags: Array<ReadonlyArray<string>> = []
  let at = 0
  while (at < args.length && args[at] !== "--" && args[at].startsWith("-")) {
    const words = flagsWithValue.has(args[at]) ? 2 : 1
    flags.push(args.slice(at, at + words))
    at += words
  }
  return flags
}

/** Returns the command and the subcommands that the words begin with. */
const pathOf = (
  [word, ...rest]: ReadonlyArray<string>,
  commands: ReadonlyArray<LoadedCommand.LoadedCommand>
): ReadonlyArray<LoadedCommand.LoadedCommand> => {
  const named = commands.find(({ entry }) => entry.name === word)
  return named === undefined ? [] : [named, ...pathOf(rest, named.subcommands)]
}
