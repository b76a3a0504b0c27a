/**
 * Commands in rules: `command="npm test *"` matches every simple command that begins with these words. The compared words
 * are those that a shell would run, as the tool parses them: an allow never matches a command that cannot be parsed
 * completely.
 */
import * as LooseCommands from "./LooseCommands.ts"
import * as OtherNames from "./OtherNames.ts"
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
 * the words, by another name of the subcommand, as a command of the same effect, or behind another program that runs it.
 * If the commands cannot be read completely, it may match when its words are in the arguments that `argumentsOf`
 * returns, with or without the characters by which a shell quotes, and when a part of the arguments that looks like a
 * command may match.
 */
export const maybeMeans = (pattern: string, commands: Commands | undefined, argumentsOf: () => unknown): boolean => {
  const words = wordsOf(pattern)
  if (commands !== undefined && commands !== null) return commands.some((one) => mayHaveEffect(words, one))
  const callArguments = argumentsOf()
  const text = JSON.stringify(callArguments ?? "")
  const unquoted = withoutQuotes(text)
  if (words.every((word) => text.includes(word) || unquoted.includes(withoutQuotes(word)))) return true
  return LooseCommands.read(callArguments).some((one) => mayHaveEffect(words, one))
}

/** True if the command may run the words, or a command of the same effect. */
const mayHaveEffect = (words: ReadonlyArray<string>, command: Given): boolean =>
  mayRun(words, command) ||
  OtherNames.equivalentsOf(words).some(
    (other) =>
      other.filter(isOption).every((option) => command.includes(option)) &&
      mayRun(
        other.filter((word) => !isOption(word)),
        command
      )
  )

const withoutQuotes = (text: string): string => text.replace(/["'\\$]|\\n/gu, "")

type Given = ReadonlyArray<OtherNames.Word>

/** Bounds how deep command lines within command lines are read. */
const maxDepth = 4

const mayRun = (words: ReadonlyArray<string>, command: Given, depth = 0): boolean => {
  if (!OtherPrograms.interprets(command.map((word) => word ?? ""))) return mayBegin(words, command)
  const text = command.join(" ")
  if (words.every((word) => text.includes(word))) return true
  return command.some((word, at) => {
    if (at === 0 || word === null) return false
    if (depth < maxDepth && /\s/u.test(word)) {
      return LooseCommands.readLine(word).some((one) => mayRun(words, one, depth + 1))
    }
    return nameOf(word) === nameOf(words[0]) && mayBegin(words, command.slice(at))
  })
}

const mayBegin = (words: ReadonlyArray<string>, command: Given): boolean =>
  beginsWith(words, command) ||
  isRenamed(
    words,
    command.map((word) => word ?? "")
  ) ||
  isAlias(words, command)

/** True if the configuration of the program may define the command as another name of the words. */
const isAlias = ([program, subcommand]: ReadonlyArray<string>, command: Given): boolean =>
  subcommand !== undefined &&
  nameOf(command[0]) === nameOf(program) &&
  !isFamilyMember(program, command) &&
  OtherNames.mayBeAlias(nameOf(program), command)

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

const beginsWith = (words: ReadonlyArray<string>, given: Given): boolean => {
  const program = nameOf(words[0])
  const rule = OtherNames.withoutRun(program, words)
  const command = OtherNames.withoutRun(program, withSubcommand(words, given))
  // A program that a variable names may be this one, which a single word says of every command.
  if (command[0] === null ? rule.length === 1 : nameOf(command[0]) !== program) return false
  if (OtherNames.takesSeveralGoals(program)) return rule.slice(1).every((word) => command.some(isGoal(program, word)))
  let reached: ReadonlySet<number> = new Set([1])
  for (const [index, word] of rule.entries()) {
    if (index === 0) continue
    const isFirst = index === 1
    const hasValue = isFirst ? (option: string) => OtherNames.hasValue(program, option) : () => null
    const isSame = isFirst ? isSubcommand(program, word) : isWord(word)
    const found = [...positionsFrom(reached, command, hasValue)].filter((at) => isSame(command[at]))
    reached = new Set(found.map((at) => at + 1))
  }
  return reached.size > 0
}

/** The positions at which the next word may be: behind options, each of which may have a value. */
const positionsFrom = (
  reached: ReadonlySet<number>,
  command: Given,
  hasValue: (option: string) => boolean | null
): ReadonlySet<number> => {
  const positions = new Set(reached)
  for (const at of positions) {
    const option = command[at]
    if (typeof option !== "string" || !isOption(option)) continue
    const isFollowed = hasValue(option)
    if (isFollowed !== true) positions.add(at + 1)
    if (isFollowed !== false && !option.includes("=")) positions.add(at + 2)
  }
  return positions
}

const isWord =
  (word: string) =>
  (given: OtherNames.Word | undefined): boolean =>
    given === null || given === word

const isSubcommand =
  (program: string, word: string) =>
  (given: OtherNames.Word | undefined): boolean =>
    isWord(word)(given) || (typeof given === "string" && OtherNames.isNameOf(program, word, given))

const isGoal =
  (program: string, word: string) =>
  (given: OtherNames.Word, at: number): boolean =>
    at > 0 && isSubcommand(program, word)(given?.replace(/^.*:/u, "") ?? null)

/** The command with its subcommand as a word of its own: `git-push` is `git push`, in every directory of git. */
const withSubcommand = ([program]: ReadonlyArray<string>, command: Given): Given =>
  isFamilyMember(program, command)
    ? [nameOf(program), nameOf(command[0]).slice(nameOf(program).length + 1), ...command.slice(1)]
    : command

const isFamilyMember = (program: string | undefined, command: Given): boolean =>
  families.has(nameOf(program)) && nameOf(command[0]).startsWith(`${nameOf(program)}-`)

const isOption = (word: OtherNames.Word | undefined): boolean => word?.startsWith("-") ?? false

const nameOf = (program: OtherNames.Word | undefined): string =>
  OtherNames.programOf(OtherPrograms.nameOf(program ?? ""))

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
