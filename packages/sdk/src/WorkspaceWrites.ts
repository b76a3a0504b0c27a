/** Counts the handlers of an opened pack that ran and may have written the workspace. */
import { MayWrite } from "@bough/dispatch"
import type { Tool } from "@bough/tool"

export interface WorkspaceWrites {
  /** Called before a handler starts, and when it has ended. */
  readonly ran: (tool: Tool.Any | undefined) => void
  /** The count, which changes with each of them. */
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
