/** Edits one value of a configuration file, and returns the new text of the file. */
import * as ConfigKey from "@bough/host/config/ConfigKey"
import type * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as JsoncEdit from "@bough/host/config/JsoncEdit"
import * as Effect from "effect/Effect"
import { type CommandFailure, usage } from "../CliFailure.ts"

/** Reminds the user that a changed project file has to be trusted again. */
export const trustNote = ({ isProject }: ConfigTarget.ConfigTarget): string =>
  isProject ? "; the file is used once it is trusted again: --trust" : ""

export const pathOf = (key: string): Effect.Effect<ReadonlyArray<string>, CommandFailure> => {
  const path = ConfigKey.parse(key)
  return path === null
    ? Effect.fail(usage(`invalid key ${JSON.stringify(key)}`, `write it as limits.maxSteps, or prices."a/b-1.5"`))
    : Effect.succeed(path)
}

export const put = (target: ConfigTarget.ConfigTarget, path: ReadonlyArray<string>, value: unknown) =>
  Effect.try({
    try: () => JsoncEdit.put(target.text ?? "", path, value),
    catch: () =>
      usage(`${path.join(".")} is inside a value that is not an object in ${target.name}`, 'run "bough config edit"')
  })
