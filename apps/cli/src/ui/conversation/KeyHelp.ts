/** The keys and prefixes of a conversation, as `/keys` and `/help` list them. Pure. */
import type { Settings } from "@bough/host/config/Settings"
import { keyActions } from "@bough/host/keys/KeyActions"
import * as Keymap from "@bough/host/keys/Keymap"
import * as Result from "effect/Result"
import type { Listing } from "./Listing.ts"
import type { UiMode } from "./SlashCommands.ts"

/** The keymap of the configuration, which was checked when it was read. */
export const keymapOf = ({ terminal: { keys } }: Pick<Settings, "terminal">): Keymap.Keymap =>
  Result.getOrElse(Keymap.make(keys), () => Keymap.defaults)

const prefix = ["!COMMAND", "run a command as yourself; the agent reads its output"] as const
const resource = ["@SERVER:URI", "attach a resource of an MCP server"] as const
const mention = ["@PATH", "mention a file"] as const

/** Plain lines have the keys of the terminal's own line editor. */
const inLines: Listing = [
  prefix,
  resource,
  ["Enter", "send; while the agent works: steer its next step"],
  ["\\ before Enter", "a new line"],
  ["Ctrl-C", "interrupt the turn; at the prompt: clear it, twice at the empty prompt: quit"],
  ["Ctrl-Z", "suspend the program; fg resumes it"]
]

/** True for actions that differ from what users of other prompts expect. */
const isOwn = (action: string): boolean =>
  !/^(?:up|down|left|right|delete|cut|insert|word|line|text|undo|older|newer)\b/u.test(action)

const vim = [
  "vim",
  "Esc: normal mode, where Esc interrupts; h j k l w b e 0 ^ $ gg G f t ; , · i a I A o O · d c y with a motion, dd D x s r ~ J p u . and counts"
] as const

/** Lists all keys, or those that `/help` shows. */
export const keyHelp = (manner: UiMode, settings: Pick<Settings, "terminal">, scope: "all" | "own"): Listing => {
  if (manner === "lines") return inLines
  const keymap = keymapOf(settings)
  const rows = keyActions.flatMap(({ action, help }) => {
    const shown = Keymap.displayKeys(keymap, action, scope === "own" ? 2 : 3)
    return shown === "" || (scope === "own" && !isOwn(action)) ? [] : [[shown, help] as const]
  })
  return [prefix, mention, resource, ...(settings.terminal.editor === "vim" ? [vim] : []), ...rows]
}
