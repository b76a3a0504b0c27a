/** The `keys` and `editor` sections of the operator's configuration. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type KeyAction, keyActions } from "./KeyActions.ts"
import * as Keymap from "./Keymap.ts"
import * as KeyName from "./KeyName.ts"

const key = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const joinNames = (keys: ReadonlyArray<string>): string => keys.map((name) => name.toLowerCase()).join(", ")

// `Object.fromEntries` loses the type of the keys.
const fields = Object.fromEntries(
  keyActions.map(({ action, help, keys }) => [
    action,
    Schema.optionalKey(key.annotate({ description: `${KeyName.capital(help)}; default: ${joinNames(keys)}` }))
  ])
) as unknown as { readonly [Action in KeyAction]: Schema.optionalKey<typeof key> }

export const Keys = Schema.Struct(fields).check(
  Schema.makeFilter((configured) => {
    const keymap = Keymap.make(configured)
    return Result.isSuccess(keymap)
      ? undefined
      : keymap.failure.map(({ action, message }) => ({ path: [action], issue: message }))
  })
)

export const Editor = Schema.Literals(["default", "vim"])
