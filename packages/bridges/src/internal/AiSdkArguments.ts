/** Wrong arguments of `fromAiSdk`: a program without types may pass any value. */

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the fault and its fix; null: the tools are as they should be. A list has no names for its tools. */
export const faultOf = (tools: unknown): string | null => {
  if (!isRecord(tools)) return "its argument must be an object of tools by name, as in { weather: tool({ … }) }"
  const wrong = Object.entries(tools).find(([, tool]) => !isRecord(tool) || !("inputSchema" in tool))
  return wrong === undefined ? null : `${wrong[0]} must be a tool of the AI SDK, as in tool({ inputSchema, execute })`
}
