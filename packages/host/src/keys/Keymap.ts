/** The keymap: the table of actions, with configured keys instead of their defaults. Pure. */
import * as Result from "effect/Result"
import { type KeyAction, keyActions, type KeyActionRow, type KeyScope } from "./KeyActions.ts"
import * as KeyName from "./KeyName.ts"

/** The configured keys of actions: one key, several, or none. */
export type ConfiguredKeys = { readonly [Action in KeyAction]?: string | ReadonlyArray<string> | undefined }

export interface Keymap {
  /** Actions by their scope and the name of their key. */
  readonly actions: Readonly<Record<KeyScope, ReadonlyMap<string, KeyAction>>>
  /** The keys of each action, in the order of display. */
  readonly keys: ReadonlyMap<KeyAction, ReadonlyArray<string>>
}

/** A fault in the configured keys; `action`: the action whose value is wrong. */
export interface KeyFault {
  readonly action: KeyAction
  readonly message: string
}

interface BoundAction extends KeyActionRow {
  readonly isConfigured: boolean
}

/** Returns the keymap, or all faults of the configured keys. */
export const make = (configured: ConfiguredKeys): Result.Result<Keymap, ReadonlyArray<KeyFault>> => {
  const faults: Array<KeyFault> = []
  const rows = keyActions.map((row): BoundAction => {
    const ownKeys = configured[row.action]
    if (ownKeys === undefined) return { ...row, isConfigured: false }
    const parsed = (typeof ownKeys === "string" ? [ownKeys] : ownKeys).map(KeyName.parse)
    faults.push(
      ...parsed.flatMap((key) => (Result.isFailure(key) ? [{ action: row.action, message: key.failure }] : []))
    )
    if (row.isNeeded === true && parsed.length === 0) {
      faults.push({ action: row.action, message: `"${row.action}" needs a key` })
    }
    const keys = parsed.flatMap((key) => (Result.isSuccess(key) ? [key.success] : []))
    return { ...row, keys: [...new Set(keys)], isConfigured: true }
  })
  faults.push(...conflicts(rows))
  if (faults.length > 0) return Result.fail(faults)
  const actionsOf = (scope: KeyScope): ReadonlyMap<string, KeyAction> =>
    new Map(rows.filter((row) => row.scope === scope).flatMap(({ action, keys }) => keys.map((key) => [key, action])))
  return Result.succeed({
    actions: {
      screen: actionsOf("screen"),
      working: actionsOf("working"),
      editor: actionsOf("editor"),
      transcript: actionsOf("transcript")
    },
    keys: new Map(rows.map(({ action, keys }) => [action, keys]))
  })
}

/**
 * Finds keys with two meanings. A key may have one meaning while the agent works, one in the draft, and one in the
 * full-screen transcript.
 */
const conflicts = (rows: ReadonlyArray<BoundAction>): ReadonlyArray<KeyFault> =>
  rows.flatMap((row, index) =>
    rows.slice(index + 1).flatMap((other) => {
      if (!row.isConfigured && !other.isConfigured) return []
      if (row.scope !== other.scope && row.scope !== "screen" && other.scope !== "screen") return []
      const [at, against] = other.isConfigured ? [other, row] : [row, other]
      return row.keys
        .filter((key) => other.keys.includes(key))
        .map((key) => ({
          action: at.action,
          message: `"${key}" is the key of "${against.action}" too: give "${against.action}" another key, or [] for none`
        }))
    })
  )

/** The default keymap has no faults, which a test checks. */
export const defaults: Keymap = Result.getOrThrow(make({}))

/** Formats the keys of an action for users, at most `maxKeys` of them; "": it has none. */
export const displayKeys = ({ keys }: Keymap, action: KeyAction, maxKeys = Infinity): string =>
  (keys.get(action) ?? []).slice(0, maxKeys).map(KeyName.display).join(", ")

/** Formats the first key of an action for a hint; "": it has none. */
export const firstShown = ({ keys }: Keymap, action: KeyAction): string => {
  const first = keys.get(action)?.[0]
  return first === undefined ? "" : KeyName.display(first)
}
