/** `config edit`: the person's editor on a draft, which becomes the file once it is valid. */
import { Directory, SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { rmSync } from "node:fs"
import { dirname } from "node:path"
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as Home from "@bough/host/config/Home"
import type { Program } from "../Program.ts"
import * as SmallFile from "@bough/disk/SmallFile"
import { failed, withHint, type CommandFailure } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"
import { trustNote } from "./Config.ts"
import * as Editor from "../io/Editor.ts"
import type { Common, ConfigOptions } from "../command-line/Options.ts"

const firstText = "{\n  // `bough config schema` says what may stand here.\n}\n"

export const edit = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { project }: ConfigOptions
): Effect.fn.Return<void, CommandFailure> {
  const { output, environment } = program
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  const editor = yield* Editor.find(program, `edit ${target.name} yourself`)
  const before = target.text ?? firstText
  const draft = target.path.replace(/\.jsonc$/u, ".edit.jsonc")
  const draftName = Home.displayPath(draft, environment.home)
  yield* attempt(`write ${draftName}`, () => {
    if (SmallFile.read(draft) !== null) return output.note(`going on with what was not saved: ${draftName}`)
    Directory.make(dirname(draft))
    SmallFile.replace(draft, before)
  })
  yield* Editor.open(program, editor, draft)
  const text = yield* attempt(`read ${draftName}`, () => SmallFile.read(draft))
  if (text === null) return yield* failed(`the editor left no ${draftName}`, "nothing is saved")
  if (text !== before) {
    const again = `${program.name} config edit${project ? " --project" : ""} goes on from ${draftName}`
    yield* ConfigTarget.save(program, target, text).pipe(
      Effect.mapError((error) => withHint(toCliFailure(error), again))
    )
  }
  yield* attempt(`remove ${draftName}`, () => rmSync(draft, { force: true }))
  output.note(text === before ? `${target.name} is as it was` : `${target.name} is saved${trustNote(target)}`)
})

const attempt = <A>(what: string, work: () => A): Effect.Effect<A, CommandFailure> =>
  Effect.try({
    try: work,
    catch: (cause) => failed(`cannot ${what}: ${SystemError.reason(cause)}`, "nothing is saved", cause)
  })
