/** `tools schema`: what a provider or protocol is told of the tools. */
import * as Effect from "effect/Effect"
import { registryOf } from "@bough/host/session/SessionAgent"
import * as Escape from "@bough/tui/text/Escape"
import type { Program } from "../Program.ts"
import type { ToolFormatName } from "../command-line/Options.ts"
import * as Tools from "./Tools.ts"

/** Of every tool, or of those that are named, in that order. */
export const print = Effect.fnUntraced(function* (
  program: Program,
  format: ToolFormatName,
  names: ReadonlyArray<string>
) {
  const { output, packs } = program
  const chosen = names.length === 0 ? [...registryOf(packs).keys()] : [...new Set(names)]
  const tools = yield* Effect.forEach(chosen, (name) => Tools.find(program, name))
  // Loaded here: nothing else of the program needs it.
  const { ToolFormat } = yield* Effect.promise(() => import("@bough/tool-formats"))
  const text = ToolFormat.print(format, tools)
  if (format === "harmony") output.answer(text)
  else output.answerEscaped(Escape.json(text))
})
