/**
 * The agents that the files of a workspace define, for apps whose users choose an agent without a terminal to trust it in.
 */
import { Directory, SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { dirname } from "node:path"
import * as Agents from "../agents/Agents.ts"
import * as Home from "../config/Home.ts"
import type { HostContext } from "../HostContext.ts"
import { failed, type HostFailure } from "../HostFailure.ts"
import * as ProjectFiles from "../project/ProjectFiles.ts"
import * as Trust from "../project/Trust.ts"

const projectFolderDepth = 3

/** Reads only files of the workspace itself, because a repository around it belongs to another user. */
const filesOf = (workspaceRoot: string): ReadonlyArray<ProjectFiles.TextFile> =>
  ProjectFiles.find(workspaceRoot).files.flatMap((file) =>
    file.kind === "agent" && ancestor(file.path, projectFolderDepth) === workspaceRoot && file.link === null
      ? [file]
      : []
  )

const ancestor = (path: string, levels: number): string => (levels === 0 ? path : ancestor(dirname(path), levels - 1))

const read = (host: HostContext, workspaceRoot: string) =>
  Effect.map(
    Agents.read(host.environment, { configured: {}, project: filesOf(workspaceRoot) }),
    ({ agents }): ReadonlyArray<Agents.AgentDefinition> => agents.filter(({ from }) => from === "project")
  )

/** Lists the agents of a workspace, trusted or not, except those that the user's own files also define. */
export const list = read

/** Records that the user trusts the agent's current file. A changed file is no longer trusted. */
export const trust = Effect.fnUntraced(function* (
  host: HostContext,
  workspaceRoot: string,
  name: string
): Effect.fn.Return<void, HostFailure> {
  const agent = (yield* read(host, workspaceRoot)).find((each) => each.name === name)
  const file = filesOf(workspaceRoot).find((each) => each.name === agent?.file)
  if (file === undefined) return
  const dataDirectory = Home.dataDirectory(host.environment)
  yield* Effect.try({
    try: () => {
      Directory.make(dataDirectory)
      Trust.remember(dataDirectory, [file], "trusted")
    },
    catch: (cause) => failed(`cannot save the trust decision: ${SystemError.reason(cause)}`, "", cause)
  })
})
