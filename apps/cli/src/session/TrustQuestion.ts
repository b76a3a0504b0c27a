/** Asks the user, again after each change of their content, whether a project's files may instruct the agent. */
import type { ProjectFile } from "@bough/host/project/ProjectFiles"
import type { Decision } from "@bough/host/project/Trust"
import * as SkillFolder from "@bough/host/skills/SkillFolder"
import * as Escape from "@bough/tui/text/Escape"
import { behindBar, join } from "@bough/tui/text/Layout"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type { Program } from "../Program.ts"

export const make =
  ({ output, terminal }: Program) =>
  (files: ReadonlyArray<ProjectFile>): Effect.Effect<Decision | null> =>
    Effect.gen(function* () {
      const names = files.map((file) => Escape.line(`${file.name} (${sizeOf(file)})`))
      const [first = text``, ...more] = names
      for (const row of join(
        [text`This folder has agent instructions: ${first}`, ...more],
        text`, `,
        output.columns()
      )) {
        output.noteEscaped(output.style.bold(row))
      }
      while (true) {
        const key = yield* terminal.readKey(["y", "n", "?"], () =>
          output.noteEscaped(text`Use them? y yes · n no · ? view (asked again if they change)`)
        )
        if (key === null) return null
        if (key !== "?") return key === "y" ? "trusted" : "declined"
        for (const file of files) {
          output.noteEscaped(output.style.bold(text`┌ ${Escape.line(file.name)}`))
          const rows = [
            file.text.replace(/\n$/u, ""),
            ...otherFilesOf(file).map((name) => `with the file ${name}`)
          ].join("\n")
          for (const row of behindBar(Escape.text(rows), output.columns())) output.noteEscaped(row)
        }
      }
    })

/** Returns the other files of a skill. */
const otherFilesOf = (file: ProjectFile): ReadonlyArray<string> =>
  file.kind === "skill" ? SkillFolder.otherFiles(file) : []

const sizeOf = (file: ProjectFile): string => {
  const { length } = otherFilesOf(file)
  const link = file.kind === "skill" || file.link === null ? "" : `a link to ${file.link}, `
  const lines = file.text.replace(/\n$/u, "").split("\n").length
  return `${link}${lines} ${lines === 1 ? "line" : "lines"}${length === 0 ? "" : `, and ${length} more files`}`
}
