/** Counts the runs of an opened pack's handlers that may have written to the workspace. */
import { MayWrite } from "@bough/dispatch"
import type { Tool } from "@bough/tool"

export interface WorkspaceWrites {
  /** Called before a handler starts, and after it has ended. */
  readonly ran: (tool: Tool.Any | undefined) => void
  /** Returns the count, which changes with each such run. */
  readonly digest: () => string
}

export const make = (): WorkspaceWrites => {
  let count = 0
  return {
    ran: (tool) => {
      if (tool === undefined || MayWrite.mayWrite(tool)) count += 1
    },
    digest: () => String(count)
  }
}
