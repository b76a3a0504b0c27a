/** Describes to a session the directories of its workspace other than its working folder. */
import type { Agent } from "@bough/runtime"
import { relative } from "node:path"
import type { AdditionalDirectory } from "./WorkspaceDirectories.ts"

export interface WorkspaceDirectories {
  readonly root: string
  readonly repositoryRoot: string
  readonly additionalDirectories: ReadonlyArray<AdditionalDirectory>
}

/** Returns the description; empty: the workspace is only the folder. */
export const toInstructions = ({
  additionalDirectories,
  repositoryRoot,
  root
}: WorkspaceDirectories): ReadonlyArray<Agent.Instruction> => {
  const around =
    repositoryRoot === root
      ? []
      : [
          `The whole project ${repositoryRoot} is yours to read and write: "${relative(root, repositoryRoot)}" is its root.`
        ]
  const further = additionalDirectories.map(
    ({ path, writable }) => `${path} belongs to the workspace too, ${writable ? "to read and write" : "to read"}.`
  )
  const text = [...around, ...further].join("\n")
  return text === "" ? [] : [{ source: "workspace", text }]
}
