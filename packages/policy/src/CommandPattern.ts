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
 * True if the pattern may match a command that the call runs. If the commands cannot be read, it may match when its
 * words are in the arguments.
 */
export const maybeMeans = (pattern: string, commands: Commands | undefined, value: unknown): boolean =>
  commands === undefined || commands === null
    ? wordsOf(pattern).every((word) => JSON.stringify(value ?? "").includes(word))
    : commands.some((one) => means(pattern, one))

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
    match: [prefix, `${prefix} --any argument`],
    notMatch: [
      other,
      ...(option === null ? [] : [`${prefix} ${option}`]),
      `${prefix} && other`,
      `${prefix} $(other)`,
      `${prefix} > file`
    ]
  }
}
