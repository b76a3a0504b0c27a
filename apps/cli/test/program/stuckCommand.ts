/** The command line with one tool that never ends and ignores interruption. */
import { main } from "@bough/cli"
import { SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { writeSync } from "node:fs"

const stuck = Tool.make("get_stuck", {
  version: 1,
  description: "Begins and never ends",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  timeoutMillis: 600_000,
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () =>
    Effect.uninterruptible(
      Effect.andThen(
        Effect.sync(() => writeSync(2, "begun\n")),
        Effect.never
      )
    )
})

const pack = ToolPack.make(stuck)

main({ main: SessionKind.Main.tools(pack), worker: SessionKind.Worker.tools(pack) }, { name: "stuck" })
