/**
 * The agents that a session can use: those of the operator's configuration, of the user's own files, and of a trusted
 * project. An agent only narrows: fewer tools, more questions, lower limits. Why: adr/0102-agents-that-narrow.md.
 */
import { SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import { Canonical } from "@bough/protocol"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"
import type * as ConfigSchema from "../config/ConfigSchema.ts"
import * as Home from "../config/Home.ts"
import { nearest } from "../config/Nearest.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"
import * as AgentFiles from "./AgentFiles.ts"

export interface AgentDefinition {
  readonly name: string
  readonly description: string
  /** The model as `provider/model`; null: the configured model. */
  readonly model: string | null
  /** The names of the agent's tools, of which it gets those that its kind of session has; null: all of them. */
  readonly tools: ReadonlyArray<string> | null
  readonly rules: NonNullable<ConfigSchema.Agents[string]["rules"]>
  readonly limits: ConfigSchema.Limits
  readonly instructions: string
  readonly from: "configuration" | "user" | "program" | "project"
  /** The path of its file in the user's notation. */
  readonly file: string
  /** The folder of the project that defines the agent; null: another place defines it. */
  readonly folder: string | null
  /** The digest of its whole definition, whether it is in a file or in the configuration. */
  readonly digest: string
}

export interface ReadAgents {
  readonly agents: ReadonlyArray<AgentDefinition>
  /** Sentences for the user about files that are ignored. */
  readonly notices: ReadonlyArray<string>
}

interface AgentFile {
  readonly name: string
  readonly text: string
  /** The directory from which relative paths of the project's file count; absent: it is the user's own. */
  readonly directory?: string
}

export interface AgentSources {
  readonly configured: ConfigSchema.Agents
  /** The agents that the program defines. */
  readonly program?: ConfigSchema.Agents
  /** The files of the project that the user trusts. */
  readonly project: ReadonlyArray<AgentFile>
}

// Loaded if there is a file: most starts have none.
const reader = Effect.promise(() => import("./AgentFile.ts"))

/**
 * Reads all agents. If two have the same name, the user's own agent takes precedence, so that a project cannot replace
 * it.
 */
export const read = Effect.fnUntraced(function* (
  environment: Home.HomeEnvironment,
  { configured, program = {}, project }: AgentSources
): Effect.fn.Return<ReadAgents> {
  const notices: Array<string> = []
  const agents = new Map<string, AgentDefinition>()
  const add = (definition: AgentDefinition): void => {
    const first = agents.get(definition.name)
    if (first === undefined) agents.set(definition.name, definition)
    else notices.push(`${definition.file} is not used: ${first.file} defines the agent ${definition.name} too`)
  }
  const configFile = Home.displayPath(Home.configFile(environment), environment.home)
  for (const [name, written] of Object.entries(configured)) {
    add(define({ instructions: "", ...written, name }, { from: "configuration", file: configFile, folder: null }))
  }
  const userFiles = ownFiles(environment, notices)
  const AgentFile = userFiles.length + project.length === 0 ? null : yield* reader
  const addFiles = (from: "user" | "project", files: ReadonlyArray<AgentFile>): void => {
    for (const { directory = null, name: file, text } of files) {
      const written = AgentFile?.read(text) ?? ""
      if (typeof written === "string") notices.push(`${file} is not used: ${written}`)
      else add(define(written, { from, file, folder: directory }))
    }
  }
  addFiles("user", userFiles)
  for (const [name, written] of Object.entries(program)) {
    if (!agents.has(name))
      add(define({ instructions: "", ...written, name }, { from: "program", file: "this program", folder: null }))
  }
  addFiles("project", project)
  return { agents: [...agents.values()], notices }
})

const ownFiles = (environment: Home.HomeEnvironment, notices: Array<string>): ReadonlyArray<AgentFile> =>
  AgentFiles.inFolder(join(Home.configDirectory(environment), "agents")).flatMap((path) => {
    const name = Home.displayPath(path, environment.home)
    const text = Result.try(() => SmallFile.read(path))
    if (Result.isSuccess(text)) return text.success === null ? [] : [{ name, text: text.success }]
    notices.push(`${name} is not used: ${SystemError.reason(text.failure)}`)
    return []
  })

const define = (
  written: ConfigSchema.Agents[string] & { readonly name: string; readonly instructions: string },
  origin: Pick<AgentDefinition, "from" | "file" | "folder">
): AgentDefinition => {
  const { description, instructions, limits = {}, model = null, name, rules = {}, tools = null } = written
  const defined = { name, description, model, tools, rules, limits, instructions }
  return { ...defined, ...origin, digest: Canonical.digestOf(defined) }
}

/**
 * Finds an agent by name; null for null. An unknown name fails; the message names the file among `untrusted` that
 * defines it, or else the nearest known name.
 */
export const find = (
  agents: ReadonlyArray<AgentDefinition>,
  name: string | null,
  untrusted: ReadonlyArray<AgentFile> = []
): Effect.Effect<AgentDefinition | null, HostFailure> => {
  if (name === null) return Effect.succeed(null)
  const found = agents.find((agent) => agent.name === name)
  if (found !== undefined) return Effect.succeed(found)
  const file = untrusted.find(({ text }) => text.split(/\r?\n/u).includes(`name: ${name}`))
  if (file !== undefined) {
    const message = `the agent ${JSON.stringify(name)} is not used, because ${file.name} is not trusted in its current state`
    return Effect.fail(invalid(message, "read the file, then pass --trust once"))
  }
  const names = agents.map((agent) => agent.name)
  const near = nearest(name, names)
  const suggestion = near === null ? "" : `; did you mean ${near}?`
  const hint =
    names.length === 0
      ? "define it in ~/.config/bough/agents, or in .bough/agents of a folder that you trust"
      : `the agents are ${names.join(", ")}`
  return Effect.fail(invalid(`unknown agent ${JSON.stringify(name)}${suggestion}`, hint))
}

/** The tools that both lists allow; null: all tools. */
export const commonTools = (
  one: ReadonlyArray<string> | null,
  other: ReadonlyArray<string> | null
): ReadonlyArray<string> | null =>
  one === null ? other : other === null ? one : one.filter((name) => other.includes(name))

/** Lists the agents that calls may name. */
export const offer = (agents: ReadonlyArray<AgentDefinition>): ReadonlyArray<Agent.Instruction> =>
  agents.length === 0
    ? []
    : [
        {
          source: "agents",
          text: [
            "Agents that delegate, spawn_branch and spawn_worker can name:",
            ...agents.map(({ description, name }) => `${name}: ${description}`)
          ].join("\n")
        }
      ]

/**
 * Makes the text that describes the agent's role to the agent. The text is stored in the journal, and with it the
 * digest of the definition.
 */
export const instructions = (agent: AgentDefinition | null): ReadonlyArray<Agent.Instruction> => {
  if (agent === null) return []
  const { description, digest, instructions: agentInstructions, name } = agent
  const text = [`You are the agent ${name} (${digest}): ${description}`, agentInstructions]
    .filter((part) => part !== "")
    .join("\n\n")
  return [{ source: `agent ${name}`, text }]
}
