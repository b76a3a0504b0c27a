/** Describes the machine, the date, the repository and the permissions of commands to the model. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { RepositoryState } from "@bough/workspace"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"

const systems: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" }

/** The maximum time that a first message waits for git. */
const timeoutMillis = 300

/**
 * The maximum length of a branch name, which comes from the repository and could otherwise contain long instructions.
 */
const maxBranchLength = 100

interface Commands {
  readonly sandbox: Settings["sandbox"]["backend"]
  /** True if commands may ask for hosts. */
  readonly network: boolean
}

const commandsText = ({ network, sandbox }: Commands): string => {
  if (sandbox === "host")
    return "Commands run on this machine with the user's rights, and the user approves each of them."
  if (sandbox === "disabled") return "Commands cannot be run."
  const reach = network ? "each new network host needs an approval" : "there is no network"
  const shell =
    sandbox === "session" ? " They share one shell: folder, variables and functions last, background jobs do not." : ""
  return `Commands run in a sandbox: the workspace is writable, ${reach}, there is no home directory.${shell}`
}

interface EnvironmentFacts extends Commands {
  readonly system: string
  readonly date: string
  readonly repository: RepositoryState.RepositoryState | null
  /** False: the text contains no words of the folder, because it is not labelled as untrusted. */
  readonly isFolderTrusted: boolean
}

export const environmentText = ({
  date,
  isFolderTrusted,
  repository,
  system,
  ...commands
}: EnvironmentFacts): string => {
  const place = repository === null ? "no git repository" : repositoryText(repository, isFolderTrusted)
  return [`${system}, ${date}; ${place}.`, commandsText(commands)].join("\n")
}

const repositoryText = ({ branch, changed }: RepositoryState.RepositoryState, isFolderTrusted: boolean): string => {
  const state = changed === null ? "" : changed ? ", with uncommitted changes" : ", no uncommitted changes"
  return `${branchText(branch, isFolderTrusted)}${state}`
}

/** The author of an untrusted repository names its branch. Git tools return the name with its label. */
const branchText = (branch: string | null, isFolderTrusted: boolean): string => {
  if (branch === null) return "git without a branch checked out"
  return isFolderTrusted ? `git branch ${branch.slice(0, maxBranchLength)}` : "git with a branch checked out"
}

/**
 * The ISO date in the time zone of this machine. Time zones of the library use `Intl`, which costs a first message 5 to
 * 14 ms.
 */
export const localDate = (instant: DateTime.DateTime): string => {
  const date = DateTime.toDateUtc(instant)
  const year = String(date.getFullYear()).padStart(4, "0")
  return [year, ...[date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"))].join("-")
}

/** Reads the facts again at each call: during a long conversation the date and the branch change. */
export const currentEnvironment = (settings: Settings): Effect.Effect<string> =>
  Effect.gen(function* () {
    const now = yield* DateTime.now
    const repository = yield* RepositoryState.repositoryState({ directory: settings.workspace.root, timeoutMillis })
    return environmentText({
      system: systems[settings.environment.platform] ?? settings.environment.platform,
      date: localDate(now),
      repository,
      isFolderTrusted: settings.workspace.isTrusted,
      sandbox: settings.sandbox.backend,
      network: settings.network.commands !== null
    })
  }).pipe(Effect.provide(ProcessRunnerNode.layer))
