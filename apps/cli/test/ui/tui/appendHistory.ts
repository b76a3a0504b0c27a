/** A process that appends to a history: `node appendHistory.ts DATA_DIRECTORY WORKSPACE NAME COUNT`. */
import * as Effect from "effect/Effect"
import * as HistoryFile from "../../../src/ui/tui/HistoryFile.ts"

const [, , dataDirectory = "", workspaceRoot = "", name = "", count = "0"] = process.argv
const file = HistoryFile.make({ dataDirectory, workspaceRoot })
for (let index = 0; index < Number(count); index++) {
  Effect.runSync(file.append(`${name} ${index} ${"é".repeat(index % 700)}`))
}
