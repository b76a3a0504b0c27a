/** `skills show`: one skill with its instructions and its files. */
import { nearest } from "@bough/host/config/Nearest"
import * as SkillFolder from "@bough/host/skills/SkillFolder"
import * as Escape from "@bough/tui/text/Escape"
import { breakHard } from "@bough/tui/text/Rows"
import { join, text as safe } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import * as FoundSkills from "../../skills/FoundSkills.ts"

const parameters = {
  name: Shapes.nameArgument("NAME", "Skill name, as listed by `skills list`"),
  format: ListFlags.format
}

const show = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format, name }: CommandOptions<typeof parameters>
) {
  const { output } = program
  const found = yield* FoundSkills.find(program, common)
  const named = found.filter((one) => one.name === name)
  const skill = named.find(({ isUsed }) => isUsed) ?? named[0]
  if (skill === undefined || skill.folder === null) {
    const near = nearest(
      name,
      found.flatMap((one) => one.name ?? [])
    )
    return yield* usage(
      `unknown skill ${JSON.stringify(name)}${near === null ? "" : `; did you mean ${near}?`}`,
      `"${program.name} skills list" lists the skills`
    )
  }
  const { text } = skill.folder
  const files = SkillFolder.otherFiles(skill.folder)
  if (format === "json") return output.json({ ...FoundSkills.facts(skill), text, files }, 2)
  const rows = [
    Escape.line(
      `${skill.from === "user" ? "your own" : "the project's"}, ${skill.problem === null ? "used" : `not used, ${skill.problem}`}`
    ),
    Escape.line(skill.folder.path),
    ...files.map((file) => safe`  ${Escape.line(file)}`),
    safe``,
    ...breakHard(Escape.text(text), output.columns())
  ]
  output.answerEscaped(safe`${join(rows, safe`\n`)}\n`)
})

export const command = declare({ parameters, run: show })
