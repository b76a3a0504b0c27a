/** Wrong arguments of `fromAiSdk`: a program without types may pass any value. */
import * as Predicate from "effect/Predicate"

/** Returns the fault and its fix; null: the tools are as they should be. A list has no names for its tools. */
export const faultOf = (tools: unknown): string | null => {
  if (!Predicate.isReadonlyObject(tools))
    return "its argument must be an object of tools by name, as in { weather: tool({ … }) }"
  const wrong = Object.entries(tools).find(([, tool]) => !Predicate.isReadonlyObject(tool) || !("inputSchema" in tool))
  return wrong === undefined ? null : `${wrong[0]} must be a tool of the AI SDK, as in tool({ inputSchema, execute })`
}
