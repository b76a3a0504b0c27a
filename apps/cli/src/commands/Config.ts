/** `config`: what the configuration says, changed one value at a time or as a whole; what is not valid is not saved. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Json } from "effect/Schema"
import { findNodeAtLocation, getNodeValue } from "jsonc-parser"
import * as ConfigFile from "@bough/host/config/ConfigFile"
import * as ConfigSchema from "@bough/host/config/ConfigSchema"
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as JsoncEdit from "@bough/host/config/JsoncEdit"
import * as ConfigKey from "@bough/host/config/ConfigKey"
import * as SchemaDocument from "@bough/host/config/SchemaDocument"
import type { Program } from "../Program.ts"
import { failed, type CommandFailure, usage } from "../CliFailure.ts"
import type { Common, ConfigOptions } from "../command-line/Options.ts"
import * as ReadInput from "../io/ReadInput.ts"

/** A value as it is written: text bare, the rest as JSON. Without a key the file as it stands. */
export const get = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { key, project }: ConfigOptions & { readonly key: string | null }
): Effect.fn.Return<void, CommandFailure> {
  const { name, output } = program
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  if (key === null) {
    if (target.text === null) return output.note(`no configuration yet: ${target.name}`)
    return output.answer(target.text)
  }
  const path = yield* pathOf(key)
  const schema = project ? ConfigSchema.Project : ConfigSchema.User
  const unknown = ConfigFile.unknownKey(schema, path)
  if (unknown !== null) return yield* usage(unknown, `${name} config schema shows every key`)
  const root = yield* ConfigFile.parse({ name: target.name, text: target.text ?? "" })
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
  if (node === undefined) return yield* failed(`${key} is not set in ${target.name}`, `${name} config set ${key} VALUE`)
  const value: Json = getNodeValue(node)
  if (typeof value === "string") output.answer(`${value}\n`)
  else output.json(value, 2)
})

/** The value is JSON where the key takes it as such, else text. */
export const set = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { key, project, value }: ConfigOptions & { readonly key: string; readonly value: string }
): Effect.fn.Return<void, CommandFailure> {
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  const path = yield* pathOf(key)
  const given = value === "-" ? (yield* ReadInput.all(program.stdin(), "the value")).replace(/\r?\n$/u, "") : value
  const texts = yield* Effect.forEach(meanings(given), (meaning) => put(target, path, meaning))
  let chosen = texts[0]
  for (const text of texts.toReversed()) {
    if (Result.isSuccess(yield* Effect.result(ConfigTarget.validate(program, target, text)))) chosen = text
  }
  yield* ConfigTarget.save(program, target, chosen)
  program.output.note(`${key} is set in ${target.name}${trustNote(target)}`)
})

export const unset = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { key, project }: ConfigOptions & { readonly key: string }
): Effect.fn.Return<void, CommandFailure> {
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  const path = yield* pathOf(key)
  if (target.text === null) return program.output.note(`${key} is not set: there is no ${target.name}`)
  yield* ConfigTarget.save(program, target, yield* put(target, path, undefined))
  program.output.note(`${key} is not set in ${target.name} any more${trustNote(target)}`)
})

export const schema = ({ output }: Program, { project }: ConfigOptions): Effect.Effect<void> =>
  Effect.sync(() => output.json(project ? SchemaDocument.project() : SchemaDocument.user(), 2))

export const path = Effect.fnUntraced(function* (program: Program, common: Common, { project }: ConfigOptions) {
  program.output.answer(`${(yield* ConfigTarget.find(program, common.cwd, project)).path}\n`)
})

/** A project's file counts as a person has agreed to it, and this is another one now. */
export const trustNote = ({ isProject }: ConfigTarget.ConfigTarget): string =>
  isProject ? "; it counts once it is trusted as it is now: --trust" : ""

const pathOf = (key: string): Effect.Effect<ReadonlyArray<string>, CommandFailure> => {
  const path = ConfigKey.parse(key)
  return path === null
    ? Effect.fail(usage(`${JSON.stringify(key)} is no key`, `write it as limits.maxSteps, or prices."a/b-1.5"`))
    : Effect.succeed(path)
}

const put = (target: ConfigTarget.ConfigTarget, path: ReadonlyArray<string>, value: unknown) =>
  Effect.try({
    try: () => JsoncEdit.put(target.text ?? "", path, value),
    catch: () => usage(`${path.join(".")} leads through what is no object in ${target.name}`, "bough config edit")
  })

/** What the word may mean, the likeliest first. */
const meanings = (word: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(word), word]
  } catch {
    return [word]
  }
}
