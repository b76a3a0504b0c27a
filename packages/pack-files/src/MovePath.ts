/** `move_path`: moves or renames a file, link or directory. It replaces nothing. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Difference from "./internal/difference.ts"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"

export const MovePath = Tool.make("move_path", {
  version: 1,
  description: "Move or rename a file or directory",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ from: Fields.path, to: Fields.path }),
  output: Schema.Struct({ from: Schema.String, to: Schema.String }),
  forModel: ({ from, to }) => `Moved ${from} to ${to}`,
  classify: ({ from, to }) =>
    Effect.zipWith(FileTier.classifyWrite(from), FileTier.classifyWrite(to), FileTier.combine),
  preview: Effect.fnUntraced(function* ({ from, to }) {
    const workspace = yield* Capability.WorkspaceRead
    return {
      render: `move ${from}\n  to ${to}\n`,
      preconditions: [
        Difference.fileDigest(from, yield* workspace.digest(from)),
        Difference.fileDigest(to, yield* workspace.digest(to))
      ]
    }
  }),
  findExisting: Effect.fnUntraced(function* ({ from, to }) {
    const workspace = yield* Capability.WorkspaceRead
    const isDone = (yield* workspace.digest(from)) === null && (yield* workspace.digest(to)) !== null
    return isDone ? result(from, to) : null
  }),
  execute: Effect.fnUntraced(function* ({ from, to }) {
    const workspace = yield* Capability.WorkspaceWrite
    yield* workspace.move(from, to)
    return result(from, to)
  })
})

const result = (from: string, to: string) =>
  Tool.result({
    output: { from, to },
    display: `Moved ${from} to ${to}`,
    artifacts: [{ _tag: "FileMoved", from, to }]
  })
