/**
 * Commands in rules: `command="npm test *"` matches every simple command that begins with these words. The compared words
 * are those that a shell would run, as the tool parses them: an allow never matches a command that cannot be parsed
 * completely.
 */
import * as OtherPrograms from "./OtherPrograms.ts"

/**
 * The field that matches simple commands if its value is a pattern, in every form in which a call can contain its
 * command.
 */
export const commandField = "command"

/** The simple commands that a call runs, a list of words each; null: not all of them are known. */
export type Commands = ReadonlyArray<ReadonlyArray<string>> | null

export const isPattern = (name: string, value: unknown): value is string =>
  name === commandField && typeof value === "string" && /\S\s+\*$/u.test(value)

const wordsOf = (pattern: string): ReadonlyArray<string> => {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const words = pattern.trim().split(/\s+/u).slice(0, -1)
  if (patterns.size < maxPatterns) patterns.set(pattern, words)
  return words
}

/** Caches the patterns of this process's rules, because each is compared with every command. */
const patterns = new Map<string, ReadonlyArray<string>>()
const maxPatterns = 10_000

/** True if the pattern matches this simple command. */
export const means = (pattern: string, command: ReadonlyArray<string>): boolean =>
  wordsOf(pattern).every((word, at) => command[at] === word)

/**
 * True if the pattern certainly matches every command that the call runs. An option that names another program is
 * matched only if the pattern contains it.
 */
export const surelyMeans = (pattern: string, commands: Commands | undefined): boolean =>
  commands !== undefined &&
  commands !== null &&
  commands.length > 0 &&
  commands.every((one) => means(pattern, one) && !OtherPrograms.names(one, wordsOf(pattern).length))

/**
 * True if the pattern may match a command that the call runs: also with the path of the program, with options between
 * the words, by another name that an option gives it, or behind another program that runs it. If the commands cannot be
 * read, it may match when its words are in the arguments, with or without the characters by which a shell quotes.
 */
export const maybeMeans = (pattern: string, commands: Commands | undefined, value: unknown): boolean => {
  const words = wordsOf(pattern)
  if (commands !== undefined && commands !== null) return commands.some((one) => mayBegin(words, one))
  const text = JSON.stringify(value ?? "")
  const unquoted = withoutQuotes(text)
  return words.every((word) => text.includes(word) || unquoted.includes(withoutQuotes(word)))
}

const withoutQuotes = (text: string): string => text.replace(/["'\\$]|\\n/gu, "")

const mayBegin = (words: ReadonlyArray<string>, command: ReadonlyArray<string>): boolean => {
  if (OtherPrograms.interprets(command)) {
    const text = command.join(" ")
    return words.every((word) => text.includes(word))
  }
  return beginsWith(words, command) || isRenamed(words, command)
}

/** True if an option of the program may give the words another name, such as `git -c alias.p=push p`. */
const isRenamed = ([program, ...others]: ReadonlyArray<string>, command: ReadonlyArray<string>): boolean => {
  if (others.length === 0 || nameOf(command[0]) !== nameOf(program) || !OtherPrograms.names(command, 1)) return false
  if (command.some(hidesNames)) return true
  const parts = new Set(command.slice(1).flatMap((word) => word.split(/[^\w-]+/u)))
  return others.every((word) => parts.has(word))
}

/** True if the word is a setting of git that takes other names of subcommands from a variable or a file. */
const hidesNames = (word: string, at: number, command: ReadonlyArray<string>): boolean => {
  const setting = word.replace(/^--config-env=/u, "")
  const isVariable = setting !== word || command[at - 1] === "--config-env"
  return (isVariable && /^alias\./iu.test(setting)) || /^include(?:if\..*)?\.path=/iu.test(setting)
}

const beginsWith = (words: ReadonlyArray<string>, given: ReadonlyArray<string>): boolean => {
  const command = withSubcommand(words, given)
  let at = 0
  for (const [index, word] of words.entries()) {
    if (index > 0) at = afterOptions(word, command, at)
    const isSame = command[at] === word || (index === 0 && nameOf(command[at]) === nameOf(word))
    if (!isSame) return false
    at += 1
  }
  return true
}

/** The command with its subcommand as a word of its own: `git-push` is `git push`, in every directory of git. */
const withSubcommand = ([program]: ReadonlyArray<string>, command: ReadonlyArray<string>): ReadonlyArray<string> => {
  const prefix = `${nameOf(program)}-`
  const name = nameOf(command[0])
  return families.has(nameOf(program)) && name.startsWith(prefix)
    ? [nameOf(program), name.slice(prefix.length), ...command.slice(1)]
    : command
}

/** Skips options, each with a value that may follow it, up to the word. */
const afterOptions = (word: string, command: ReadonlyArray<string>, from: number): number => {
  let at = from
  while (command[at] !== word && isOption(command[at])) {
    at += command[at + 1] === word || isOption(command[at + 1]) ? 1 : 2
  }
  return at
}

const isOption = (word: string | undefined): boolean => word?.startsWith("-") ?? false

const nameOf = (program: string | undefined): string => (program ?? "").replace(/^.*\//u, "")

/**
 * Programs whose subcommands count as separate programs; an option before the subcommand may run anything (`git -c
 * core.pager=… log`).
 */
const families: ReadonlySet<string> = new Set(
  (
    "git gh npm pnpm yarn bun cargo go pip pip3 uv poetry apt apt-get brew systemctl terraform tofu aws gcloud az helm dotnet mvn gradle " +
    "rustup conda bundle gem composer"
  ).split(" ")
)

const subcommand = /^[a-z][\w:-]*$/u

/**
 * The pattern that a user may save for a simple command: program and subcommand, or the words before the first option.
 * Null: a prefix of the command could mean anything.
 */
export const patternOf = (command: ReadonlyArray<string>): string | null => {
  const [program = "", second = "", third = ""] = command
  if (command.some((word) => /[\s"'\\*]/u.test(word) || word === "") || OtherPrograms.interprets(command)) return null
  if (families.has(program.replace(/^.*\//u, "")) && !subcommand.test(second)) return null
  const isScript = OtherPrograms.runsScript(command)
  if (isScript && !/^\w[\w:.-]*$/u.test(third)) return null
  const options = command.findIndex((word) => word.startsWith("-"))
  const length = isScript ? 3 : subcommand.test(second) ? 2 : options === -1 ? command.length : options
  return OtherPrograms.names(command, length) ? null : `${command.slice(0, length).join(" ")} *`
}

/** Commands that a pattern matches and does not match, as examples for users. */
export const examplesOf = (
  pattern: string
): { readonly match: ReadonlyArray<string>; readonly notMatch: ReadonlyArray<string> } => {
  const words = wordsOf(pattern)
  const prefix = words.join(" ")
  const option = OtherPrograms.exampleFor(words[0] ?? "")
  const other = words.length > 1 ? `${words.slice(0, -1).join(" ")} other` : `other ${prefix}`
  return {
    match: [prefix, `${prefix} --any=argument`],
    notMatch: [
      other,
      ...(option === null ? [] : [`${prefix} ${option}`]),
      `${prefix} && other`,
      `${prefix} $(other)`,
      `${prefix} > file`
    ]
  }
}
