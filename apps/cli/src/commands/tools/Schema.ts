/** `tools schema`: the declarations of tools in the format of a provider or protocol. */
import { registryOf } from "@bough/host/session/KindTools"
import type { ToolFormat } from "@bough/tool-formats"
import * as Escape from "@bough/tui/text/Escape"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import * as CompiledTools from "../../tools/CompiledTools.ts"

const parameters = {
  format: Flag.Literals("for", [
    "openai",
    "openai-chat",
    "anthropic",
    "gemini",
    "mcp",
    "harmony"
  ] satisfies ReadonlyArray<ToolFormat.Format>).pipe(
    Flag.withDescription("Target format; openai is the Responses API, openai-chat the Chat Completions API")
  ),
  names: Shapes.nameArgument("NAME", "Tool names, as listed by `tools list`; default: all").pipe(Argument.variadic())
}

const print = Effect.fnUntraced(function* (
  program: Program,
  _: Common,
  { format, names }: CommandOptions<typeof parameters>
) {
  const { output, packs } = program
  const chosen = names.length === 0 ? [...registryOf(packs).keys()] : [...new Set(names)]
  const tools = yield* Effect.forEach(chosen, (name) => CompiledTools.find(program, name))
  // Imported here, because no other part of the program needs it.
  const { ToolFormat } = yield* Effect.promise(() => import("@bough/tool-formats"))
  const text = ToolFormat.print(format, tools)
  if (format === "harmony") output.answer(text)
  else output.answerEscaped(Escape.json(text))
})

export const command = declare({ parameters, run: print })
