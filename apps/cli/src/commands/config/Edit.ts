/** `config edit`: opens a draft in the user's editor, which becomes the file once it is valid. */
import { Directory, SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as Home from "@bough/host/config/Home"
import { workspaceRoot } from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import { rmSync } from "node:fs"
import { dirname } from "node:path"
import { failure, withHint, type CommandFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ConfigFlags from "../../command-line/flags/ConfigFlags.ts"
import { toCliFailure } from "../../Failures.ts"
import { trustNote } from "../../io/ConfigValue.ts"
import * as Editor from "../../io/Editor.ts"
import type { Program } from "../../Program.ts"

const firstText = (program: string): string => `{\n  // \`${program} config schema\` lists the keys.\n}\n`

const parameters = { project: ConfigFlags.project }

const edit = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { project }: CommandOptions<typeof parameters>
): Effect.fn.Return<void, CommandFailure> {
  const { output, environment } = program
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  const editor = yield* Editor.find(
    program,
    yield* workspaceRoot(environment, common.cwd),
    `edit ${target.name} yourself`
  )
  const before = target.text ?? firstText(program.name)
  const draft = target.path.replace(/\.jsonc$/u, ".edit.jsonc")
  const draftName = Home.displayPath(draft, environment.home)
  yield* attempt(`write ${draftName}`, () => {
    if (SmallFile.read(draft) !== null) return output.note(`resuming the unsaved draft ${draftName}`)
    Directory.make(dirname(draft))
    SmallFile.replace(draft, before)
  })
  yield* Editor.open(program, editor, draft)
  const text = yield* attempt(`read ${draftName}`, () => SmallFile.read(draft))
  if (text === null) return yield* failure(`the editor removed ${draftName}`, `${target.name} is unchanged`)
  if (text !== before) {
    const resumeHint = `"${program.name} config edit${project ? " --project" : ""}" resumes from ${draftName}`
    yield* ConfigTarget.save(program, target, text).pipe(
      Effect.mapError((error) => withHint(toCliFailure(error), resumeHint))
    )
  }
  yield* attempt(`remove ${draftName}`, () => rmSync(draft, { force: true }))
  output.note(text === before ? `${target.name} is unchanged` : `${target.name} is saved${trustNote(target)}`)
})

const attempt = <A>(purpose: string, work: () => A): Effect.Effect<A, CommandFailure> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      failure(`cannot ${purpose}: ${SystemError.reason(cause)}`, "the configuration is unchanged", cause)
  })

export const command = declare({ parameters, run: edit })
