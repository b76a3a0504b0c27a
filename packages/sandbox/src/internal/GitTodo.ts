/**
 * Finds commands in the text files of an unfinished rebase, cherry-pick or merge, which `git rebase --continue` and
 * similar commands would run.
 */

const command = /^[ \t]*(?:exec|x)(?=[ \t\r]|$)(.*)$/u
/** Matches a line that writes to a file outside of `refs/`. */
const written = /^[ \t]*((?:update-ref|u)[ \t]+(?!refs\/).*)$/u

/** Returns the program of a line, or the line's words if it writes outside of `refs/`. */
const programOf = (line: string): string | undefined => (command.exec(line) ?? written.exec(line))?.[1]?.trim()

/** Returns the lines of a todo list that run a program. */
export const programs = (todo: string): ReadonlyArray<string> =>
  todo.split("\n").flatMap((line) => programOf(line) ?? [])

/** Replaces each program that is not `known` by a stop. */
export const withoutPrograms = (todo: string, known: ReadonlyArray<string>): string => {
  const remainingEntries = [...known]
  return todo
    .split("\n")
    .map((line) => {
      const program = programOf(line)
      if (program === undefined) return line
      const at = remainingEntries.indexOf(program)
      if (at < 0) return "break"
      remainingEntries.splice(at, 1)
      return line
    })
    .join("\n")
}

const strategies = new Set(["", "ort", "recursive", "resolve", "octopus", "ours", "subtree"])

/** True if a merge strategy is built into git; for any other name, git runs a program with that name. */
export const isOwnStrategy = (name: string): boolean => strategies.has(name.trim())

/** True if the options of a sequence of cherry-picks name a built-in strategy or none. */
export const hasOwnStrategies = (options: string): boolean =>
  options.split("\n").every((line) => {
    const named = /strategy\s*=(.*)$/iu.exec(line.replace(/^\s*(?:\[[^\]]*\])?/u, ""))?.[1]
    return named === undefined || isOwnStrategy(named.replaceAll('"', ""))
  })
