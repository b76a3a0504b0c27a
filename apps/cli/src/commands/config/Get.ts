/** `config get`: prints one value, or without a key the file. */
import * as ConfigFile from "@bough/host/config/ConfigFile"
import * as ConfigSchema from "@bough/host/config/ConfigSchema"
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as Effect from "effect/Effect"
import type { Json } from "effect/Schema"
import { findNodeAtLocation, getNodeValue } from "jsonc-parser"
import { failure, type CommandFailure, usage } from "../../CliFailure.ts"
import { command as declare } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ConfigFlags from "../../command-line/flags/ConfigFlags.ts"
import * as ConfigValue from "../../io/ConfigValue.ts"
import type { Program } from "../../Program.ts"

/** Prints text without quotes and other values as JSON; without a key, prints the file unchanged. */
export const get = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { key, project }: { readonly key: string | null; readonly project: boolean }
): Effect.fn.Return<void, CommandFailure> {
  const { name, output } = program
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  if (key === null) {
    if (target.text === null) return output.note(`${target.name} does not exist yet; "${name} config edit" creates it`)
    return output.answer(target.text)
  }
  const path = yield* ConfigValue.pathOf(key)
  const schema = project ? ConfigSchema.Project : ConfigSchema.User
  const unknown = ConfigFile.unknownKey(schema, path)
  if (unknown !== null) return yield* usage(unknown, `"${name} config schema" shows every key`)
  const root = yield* ConfigFile.parse({ name: target.name, text: target.text ?? "" })
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
  if (node === undefined)
    return yield* failure(`${key} is not set in ${target.name}`, `"${name} config set ${key} VALUE" sets it`)
  const value: Json = getNodeValue(node)
  if (typeof value === "string") output.answer(`${value}\n`)
  else output.json(value, 2)
})

export const command = declare({ parameters: { key: ConfigFlags.optionalKey, project: ConfigFlags.project }, run: get })
