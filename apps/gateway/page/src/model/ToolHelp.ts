/** The help of a tool for the user who decides on its call. Pure. */
import type { Tool } from "@bough/client"

const effects: Readonly<Record<Tool["tier"], string>> = {
  ReadOnly: "It reads and changes nothing.",
  Workspace: "It changes files of the workspace.",
  System: "It runs commands or uses the network.",
  Elevated: "It acts beyond the workspace, and its effect may be final."
}

export const effectOf = (tier: Tool["tier"]): string => effects[tier]

const replays: Readonly<Record<string, string>> = {
  Safe: "safe to repeat",
  Idempotent: "repeated, it has the same effect",
  Unsafe: "never repeated by itself after an interruption"
}

export const replayOf = (replay: string): string => replays[replay] ?? replay

export interface ParameterRow {
  readonly name: string
  readonly description: string
}

const textIn = (value: unknown, key: string): string | null => {
  if (typeof value !== "object" || value === null || !(key in value)) return null
  const found = (value as Readonly<Record<string, unknown>>)[key]
  return typeof found === "string" ? found : null
}

/** Returns the parameters of a JSON Schema with their descriptions, else with their types. */
export const parameterRows = ({ properties }: Tool["parameters"]): ReadonlyArray<ParameterRow> =>
  typeof properties !== "object" || properties === null
    ? []
    : Object.entries(properties).map(([name, schema]) => ({
        name,
        description: textIn(schema, "description") ?? textIn(schema, "type") ?? ""
      }))
