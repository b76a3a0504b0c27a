/** The configuration, instructions and skills of a project, as far as the user trusts their current content. */
import { Directory, SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { failed, withNextStep } from "../HostFailure.ts"
import type { McpFile } from "../mcp/McpFile.ts"
import type { ProjectFile } from "../project/ProjectFiles.ts"
import * as ProjectFiles from "../project/ProjectFiles.ts"
import * as Trust from "../project/Trust.ts"
import { reader } from "./ConfigReader.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"

/**
 * Asks the user whether these files may instruct the agent; returns null if the user gives no answer. The function is
 * null if the user cannot be asked.
 */
export type AskTrust = ((files: ReadonlyArray<ProjectFile>) => Effect.Effect<Trust.Decision | null>) | null

interface ProjectContext {
  readonly workspaceRoot: string
  readonly dataDirectory: string
  readonly trust: boolean
}

/** Reads the files of the project, and calls `ask` for those without a decision. */
export const load = Effect.fnUntraced(function* (project: ProjectContext, ask: AskTrust) {
  const { files, unreadable } = ProjectFiles.find(project.workspaceRoot)
  const decided = Trust.decisions(project.dataDirectory, files)
  const undecided = files.filter((file) =>
    project.trust ? decided.get(file) !== "trusted" : decided.get(file) === null
  )
  const answer = yield* decide(undecided, project.trust ? () => Effect.succeed("trusted") : ask)
  if (answer !== null) yield* remember(project.dataDirectory, undecided, answer)
  const isTrusted = (file: ProjectFile): boolean =>
    undecided.includes(file) ? answer === "trusted" : decided.get(file) === "trusted"
  const trusted = files.filter(isTrusted)
  const untrustedFiles = files.filter((file) => !isTrusted(file))
  if (project.trust) yield* rememberFolder(project)
  const mcp = yield* mcpServers(trusted)
  return {
    // If the user trusts all files that instruct the agent, the files that are only data are trusted too.
    isFolderTrusted:
      project.trust ||
      (files.length > 0 && untrustedFiles.length === 0) ||
      Trust.isFolderTrusted(project.dataDirectory, project.workspaceRoot),
    config: yield* projectConfig(trusted),
    configFolder: trusted.flatMap((file) => (file.kind === "config" ? [file.directory] : []))[0] ?? null,
    mcpServers: mcp.servers,
    agents: trusted.filter((file) => file.kind === "agent"),
    untrustedAgents: untrustedFiles.filter((file) => file.kind === "agent"),
    commands: trusted.filter((file) => file.kind === "command"),
    skills: trusted.filter((file) => file.kind === "skill"),
    instructions: trusted.flatMap(({ kind, name, text }) =>
      kind === "instructions" && text.trim() !== "" ? [{ source: name, text }] : []
    ),
    notices: [
      ...unreadable.map(describeUnreadable),
      ...mcp.notices,
      ...(untrustedFiles.length === 0 || answer === "declined" ? [] : [unusedNotice(untrustedFiles)])
    ]
  }
})

/** The files of a project that the user trusts, and what they configure. */
export type ProjectSettings = Effect.Success<ReturnType<typeof load>>

const decide = (undecided: ReadonlyArray<ProjectFile>, ask: AskTrust): Effect.Effect<Trust.Decision | null> =>
  undecided.length === 0 || ask === null ? Effect.succeed(null) : ask(undecided)

/** Makes a sentence for the user about a file that cannot be read. */
export const describeUnreadable = ({ name, problem }: ProjectFiles.UnreadableFile): string =>
  `${name} is not used: ${problem}`

const unusedNotice = (files: ReadonlyArray<ProjectFile>): string =>
  `not used, because ${files.length === 1 ? "its current state is" : "their current state is"} not trusted: ` +
  `${files.map(({ name }) => name).join(", ")} ("bough --trust" and "bough run --trust" use and remember ${files.length === 1 ? "it" : "them"})`

const remember = (dataDirectory: string, files: ReadonlyArray<ProjectFile>, decision: Trust.Decision) =>
  attemptSave(dataDirectory, () => Trust.remember(dataDirectory, files, decision))

const rememberFolder = ({ dataDirectory, workspaceRoot }: ProjectContext) =>
  Trust.isFolderTrusted(dataDirectory, workspaceRoot)
    ? Effect.void
    : attemptSave(dataDirectory, () => Trust.rememberFolder(dataDirectory, workspaceRoot))

const attemptSave = (dataDirectory: string, save: () => void) =>
  Effect.try({
    try: () => {
      Directory.make(dataDirectory)
      save()
    },
    catch: (cause) =>
      withNextStep(
        failed(`cannot save the trust decision: ${SystemError.reason(cause)}`, "", cause),
        "CheckInstallation"
      )
  })

/** Reads the servers of the project; the reader is loaded only if there is a file. */
const mcpServers = (trusted: ReadonlyArray<ProjectFile>): Effect.Effect<McpFile> => {
  const file = trusted.find(({ kind }) => kind === "mcp")
  return file === undefined
    ? Effect.succeed({ servers: {}, notices: [] })
    : Effect.map(
        Effect.promise(() => import("../mcp/McpFile.ts")),
        ({ read }) => read(file.name, file.text)
      )
}

const projectConfig = Effect.fnUntraced(function* (trusted: ReadonlyArray<ProjectFile>) {
  const file = trusted.find(({ kind }) => kind === "config")
  if (file === undefined) return {} satisfies ConfigSchema.Project
  const { read, schema } = yield* reader
  return yield* read(file, { schema: schema.Project, variables: null, operatorSchema: schema.User })
})
