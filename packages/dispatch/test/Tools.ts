/** Tools to call: they record their calls instead of acting. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Done, done, Path } from "./Harness.ts"

export const readFile = Tool.make("read_file", {
  version: 1,
  description: "Reads",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Path,
  output: Done,
  execute: () => Effect.succeed(done)
})

export const writeFile = Tool.make("write_file", {
  version: 1,
  description: "Writes",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Path,
  output: Done,
  execute: () => Effect.succeed(done)
})

/** Any tool, by its parts, including declarations that would not compile. */
export const any = (parts: Partial<Tool.Any>): Tool.Any => ({ ...readFile, capabilities: [], ...parts })
