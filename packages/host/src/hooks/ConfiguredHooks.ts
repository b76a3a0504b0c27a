/** The hooks of the configuration files as a list, the operator's first. Pure. */
import type { ConfiguredHooks } from "./HookSchema.ts"

export const events = ["beforeTool", "afterTool", "prompt", "stop", "sessionStart"] as const
export type Event = (typeof events)[number]

export interface Hook {
  readonly event: Event
  /** The name by which users and the journal refer to it. */
  readonly name: string
  readonly command: string
  /** The folder that the command runs in; null: the folder that the session started in. */
  readonly folder: string | null
  /** Null: all tools. */
  readonly tools: ReadonlyArray<string> | null
  readonly timeoutMillis: number
  readonly onFailure: "continue" | "deny"
  /** True: it runs outside of the sandbox, by the operator's own configuration. */
  readonly asOperator: boolean
}

const defaultTimeoutSeconds = 10
const maxNameLength = 60

/** A hook that fails to run denies the call; otherwise a broken hook would protect nothing. */
const defaultOnFailure: Readonly<Record<Event, Hook["onFailure"]>> = {
  beforeTool: "deny",
  prompt: "deny",
  afterTool: "continue",
  stop: "continue",
  sessionStart: "continue"
}

/** Hooks of a project run in the folder that holds `.bough`, because their commands name files from there. */
export const toHooks = (
  operator: ConfiguredHooks,
  project: { readonly hooks: ConfiguredHooks; readonly folder: string | null }
): ReadonlyArray<Hook> => [
  ...hooksOf(operator, { folder: null, isOperator: true }),
  ...hooksOf(project.hooks, { folder: project.folder, isOperator: false })
]

const hooksOf = (
  configured: ConfiguredHooks,
  { folder, isOperator }: { readonly folder: string | null; readonly isOperator: boolean }
): ReadonlyArray<Hook> =>
  events.flatMap((event) =>
    (configured[event] ?? []).map((written): Hook => {
      const { command, onFailure = defaultOnFailure[event], timeoutSeconds = defaultTimeoutSeconds } = written
      return {
        event,
        name: nameOf(command, isOperator),
        command,
        folder,
        tools: toolsOf(written),
        timeoutMillis: timeoutSeconds * 1000,
        onFailure,
        asOperator: isOperator && written.runAs === "operator"
      }
    })
  )

const toolsOf = (written: { readonly command: string; readonly tools?: ReadonlyArray<string> }): Hook["tools"] =>
  written.tools ?? null

const nameOf = (command: string, isOperator: boolean): string => {
  const line = command.replaceAll(/\s+/gu, " ").trim()
  const short = line.length <= maxNameLength ? line : `${line.slice(0, maxNameLength - 1).toWellFormed()}…`
  return `${isOperator ? "your hook" : "the project's hook"} ${JSON.stringify(short)}`
}

export const matches = ({ tools }: Hook, tool: string): boolean =>
  tools === null ||
  tools.some((pattern) => (pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern))
