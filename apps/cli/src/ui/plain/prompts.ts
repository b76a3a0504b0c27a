/** The prompts of a conversation in plain lines: the next input, and a choice among several options. */
import type { SlashCommand } from "@bough/tui/editor/InputSyntax"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as ListText from "../../format/ListText.ts"
import type { Program } from "../../Program.ts"
import type { Choice } from "../conversation/ConversationUi.ts"
import type { Listing } from "../conversation/Listing.ts"
import * as SlashCommands from "../conversation/SlashCommands.ts"
import type { UserInput } from "../conversation/UserInput.ts"

/** Reads a line as input; null: the line is empty. */
export const readUserInput = (text: string, customCommands: ReadonlyArray<SlashCommand>): UserInput | null => {
  const spoken = SlashCommands.read(text)
  const refused = SlashCommands.refusal(spoken, customCommands)
  if (refused !== null) return { _tag: "Refused", reason: refused }
  switch (spoken._tag) {
    case "Command":
      return { _tag: "RunCommand", command: spoken.command }
    case "Slash":
      return { _tag: "RunSlashCommand", name: spoken.name, arguments: spoken.arguments }
    case "Message":
      return text.trim() === "" ? null : { _tag: "Say", text: text.trim(), media: [], waits: false }
  }
}

/** The lines of an input whose last line is still to come. */
export interface StartedPrompt {
  lines: string
}

/**
 * Reads the next input, which may continue the lines of `startedPrompt`. The end of input and a second Ctrl-C in a row
 * quit.
 */
export const next = Effect.fnUntraced(function* (
  { output, terminal }: Program,
  customCommands: ReadonlyArray<SlashCommand>,
  startedPrompt: StartedPrompt
): Effect.fn.Return<UserInput> {
  let interrupts = 0
  while (true) {
    const line = yield* terminal.readLine(startedPrompt.lines === "" ? text`› ` : text`… `)
    if (line._tag === "Interrupted") {
      if (++interrupts === 2) return { _tag: "Quit" }
      startedPrompt.lines = ""
      output.note("press Ctrl-C again to quit")
      continue
    }
    interrupts = 0
    if (line._tag === "Line" && line.text.endsWith("\\")) {
      startedPrompt.lines += `${line.text.slice(0, -1)}\n`
      continue
    }
    const input = readUserInput(
      line._tag === "Line" ? startedPrompt.lines + line.text : startedPrompt.lines,
      customCommands
    )
    startedPrompt.lines = ""
    if (input !== null) return input
    if (line._tag === "End") return { _tag: "Quit" }
  }
})

/** Chooses an option by its number in the list or by its name; null: none, or no user can be asked. */
export const choose = Effect.fnUntraced(function* (
  { output, terminal }: Program,
  { hint, shownFirst, now, options }: Choice,
  list: (listing: Listing) => void
): Effect.fn.Return<string | null> {
  list([["now", now]])
  list(ListText.numberLines(shownFirst === "name" ? options : options.map(([name, text]) => [`${text} · ${name}`, ""])))
  if (!terminal.isInteractive || options.length === 0) {
    output.note(hint)
    return null
  }
  while (true) {
    const line = yield* terminal.readLine(text`number or name (Enter for none): `)
    const typed = line._tag === "Line" ? line.text.trim() : ""
    if (typed === "") return null
    if (!/^\d+$/u.test(typed)) return typed
    const chosen = options.at(Number(typed) - 1)
    if (chosen !== undefined && typed !== "0") return chosen[0]
    output.note(`${typed} is not listed: choose 1 to ${options.length}, or Enter for none`)
  }
})
