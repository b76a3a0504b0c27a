/**
 * Exports a journal with an output, and removes sent messages from a history; prints a line after each. Argument: a
 * folder.
 */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { join } from "node:path"
import * as ExportFolder from "../../src/receipts/ExportFolder.ts"
import * as HistoryFile from "../../src/ui/tui/HistoryFile.ts"

const [, , folder = ""] = process.argv
const say = (line: string) => Effect.sync(() => void writeSync(1, `${line}\n`))

const program = Effect.gen(function* () {
  const directory = join(folder, "exported")
  yield* ExportFolder.withExportFolder(directory, "exported", ({ journal, outputs, receipt, replay }) =>
    Effect.sync(() => {
      for (const file of [journal, receipt, replay]) file.add("{}\n")
      outputs.add(`sha256:${"0".repeat(64)}`, Buffer.from("an output"))
    })
  )
  yield* say("exported")
  const history = HistoryFile.make({ dataDirectory: join(folder, "data"), workspaceRoot: "/work" })
  yield* history.append("hunter2")
  yield* history.forget(new Set(["hunter2"]))
  yield* say("forgotten")
})

Effect.runSync(program)
