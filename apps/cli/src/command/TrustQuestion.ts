/** Asks a person, once for each content, whether a project's files may instruct the agent. */
import * as Effect from "effect/Effect"
import * as Escape from "../Escape.ts"
import type { Program } from "../Program.ts"
import type { ProjectFile } from "../project/ProjectFiles.ts"
import type { Decision } from "../project/Trust.ts"
import { barred } from "../terminal/Layout.ts"

export const make =
  ({ output, terminal }: Program) =>
  (files: ReadonlyArray<ProjectFile>): Effect.Effect<Decision | null> =>
    Effect.gen(function* () {
      const names = files.map(({ name, text }) => `${Escape.line(name)} (${text.split("\n").length} lines)`)
      output.noteEscaped(output.style.bold(`This folder wants to instruct the agent: ${names.join(", ")}`))
      while (true) {
        output.noteEscaped("Trust it as it is now? y yes, and remember · n no, and remember · ? show it")
        const key = yield* terminal.readKey(["y", "n", "?"])
        if (key === null) return null
        if (key !== "?") return key === "y" ? "trusted" : "declined"
        for (const { name, text } of files) {
          output.noteEscaped(output.style.bold(`┌ ${Escape.line(name)}`))
          for (const row of barred(Escape.text(text), output.columns())) output.noteEscaped(row)
        }
      }
    })
