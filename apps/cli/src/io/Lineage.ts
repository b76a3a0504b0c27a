/**
 * Detects that a command of an agent started this process on the host, so that its terminal belongs to no user. The
 * signs are a variable that such commands are given, and an ancestor that has the database open. No stronger check is
 * possible for a process with the user's rights: adr/0029-deciding-is-for-people.md.
 */
import { Environment } from "@bough/sandbox"
import * as Result from "effect/Result"
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"

export interface OwnProcess {
  readonly parent: number
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The file that contains the sessions. */
  readonly database: string
}

/** The longest chain of parents, longer than any chain of shells. */
const maxAncestors = 64

export const isRunByAgent = ({ database, parent, variables }: OwnProcess): boolean => {
  if (variables[Environment.commandMark] !== undefined) return true
  const databasePath = orElse("", () => realpathSync(database))
  let pid = parent
  // Without /proc only the environment variable shows it.
  for (let depth = 0; pid > 1 && depth < maxAncestors; depth++) {
    if (isMarked(pid) || (databasePath !== "" && hasOpen(pid, databasePath))) return true
    pid = parentOf(pid)
  }
  return false
}

const isMarked = (pid: number): boolean =>
  read(pid, "environ")
    .split("\0")
    .some((variable) => variable.startsWith(`${Environment.commandMark}=`))

const hasOpen = (pid: number, file: string): boolean =>
  orElse([], () => readdirSync(`/proc/${pid}/fd`)).some(
    (descriptor) => orElse("", () => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) === file
  )

/**
 * Returns the parent in `stat`: the second field is the name in brackets, which may contain any character; the parent
 * is the second field after it.
 */
const parentOf = (pid: number): number => {
  const stat = read(pid, "stat")
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0)
}

const read = (pid: number, name: string): string => orElse("", () => readFileSync(`/proc/${pid}/${name}`, "utf8"))

/** Returns the fallback if the process has ended or belongs to another user. */
const orElse = <A>(other: A, look: () => A): A => Result.getOrElse(Result.try(look), () => other)
