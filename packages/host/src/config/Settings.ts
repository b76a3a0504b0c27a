/**
 * The settings of a session. The order of precedence: overrides, environment variables, the project's file, the
 * operator's file. Files of a project only apply once the user trusts their current content.
 */
import { SystemError } from "@bough/disk"
import type { Effort } from "@bough/models"
import type { Search } from "@bough/network"
import { registries } from "@bough/network/proxy/Registries"
import type { Policy } from "@bough/policy"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { join } from "node:path"
import * as Agents from "../agents/Agents.ts"
import * as Home from "./Home.ts"
import * as ConfiguredHooks from "../hooks/ConfiguredHooks.ts"
import * as Skills from "../skills/Skills.ts"
import * as SmallFile from "@bough/disk/SmallFile"
import { failed, type HostFailure, invalid } from "../HostFailure.ts"
import * as CustomCommands from "../commands/CustomCommands.ts"
import * as Commands from "./Commands.ts"
import * as WorkspaceDirectories from "../project/WorkspaceDirectories.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"
import * as Limits from "./Limits.ts"
import type { LanguageServerSettings } from "../languageServers/LanguageServerSettings.ts"
import type { Login } from "../login/LoginSchema.ts"
import * as McpSettings from "../mcp/McpSettings.ts"
import * as ProjectSettings from "./ProjectSettings.ts"
import { reader } from "./ConfigReader.ts"
import * as ProviderSettings from "./ProviderSettings.ts"
import * as Secrets from "./Secrets.ts"
import type { Timeouts } from "./Timeouts.ts"
import * as UndoSettings from "./UndoSettings.ts"

/** The variables, folders and user that an app passes in. */
export interface HostEnvironment extends Home.HomeEnvironment {
  readonly currentDirectory: string
  /** The name of the user; null: unknown, so that no notes are stored. */
  readonly user: string | null
  /** Agents that the program itself defines, by name. An agent of the user with the same name takes precedence. */
  readonly agents?: ConfigSchema.Agents
}

/** Settings of a command line or a request, which take precedence over all others. Null: not set. */
export interface SettingsOverrides extends Limits.LimitOverrides {
  readonly cwd: string | null
  /** The values of `--add-dir`, as written. */
  readonly addDir?: ReadonlyArray<string>
  /** The name of the session's agent; default: none, so that the session may do all that its kind allows. */
  readonly agent?: string | null
  readonly model: string | null
  readonly effort: Effort.Effort | null
  readonly approve: Policy.Approve | null
  readonly allow: ReadonlyArray<string>
  readonly trust: boolean
  readonly reflect?: boolean | null
  /**
   * True if the user of the session is not the operator of the machine. Then no approval runs a command outside of the
   * sandbox, and the workspace is only its folder, not the repository around it.
   */
  readonly confined?: boolean
}

export const noOverrides: SettingsOverrides = {
  cwd: null,
  model: null,
  effort: null,
  approve: null,
  allow: [],
  maxSteps: null,
  maxCostUsd: null,
  trust: false
}

/** A rule as its author wrote it, with its source and its examples, which are checked before the rule is used. */
export interface WrittenRule {
  readonly effect: "allow" | "ask" | "deny"
  readonly text: string
  readonly from: string
  readonly match: ReadonlyArray<string>
  readonly notMatch: ReadonlyArray<string>
}

/** Private services that the web tools reach, headers that they send, and the search provider. */
export interface WebSettings {
  readonly allow: NonNullable<NonNullable<ConfigSchema.User["network"]>["allow"]>
  readonly headers: NonNullable<NonNullable<ConfigSchema.User["network"]>["headers"]>
  readonly search: Search.Settings | null
  /** Null: commands have no network. */
  readonly commands: { readonly maxSentBytes?: number } | null
}

export interface Settings {
  readonly environment: HostEnvironment
  readonly dataDirectory: string
  readonly workspaceRoot: string
  /** The root of the repository around the folder; the folder itself if there is none. */
  readonly repositoryRoot: string
  readonly additionalDirectories: ReadonlyArray<WorkspaceDirectories.AdditionalDirectory>
  /** True if the user trusts the folder: text from its files is data, but not labelled untrusted. */
  readonly isFolderTrusted: boolean
  /** The model as `provider/model`; null: none is configured. */
  readonly model: string | null
  /** The reasoning effort of the model; null: its provider's default. */
  readonly effort: Effort.Effort | null
  /** Keys and addresses of providers, by the names of their variables. */
  readonly providerVariables: Readonly<Record<string, string | undefined>>
  /** The logins that the configuration declares, by provider. */
  readonly logins: Readonly<Record<string, Login>>
  readonly prices: NonNullable<ConfigSchema.User["prices"]>
  readonly limits: Agent.Limits
  readonly timeouts: Timeouts
  readonly approve: Policy.Approve
  readonly rules: ReadonlyArray<WrittenRule>
  readonly sandbox: NonNullable<ConfigSchema.User["sandbox"]>
  readonly commands: Commands.CommandSettings
  readonly network: WebSettings
  /** The embedding model: `static`, `none`, a folder, or a model of the hub. */
  readonly embeddingModel: string
  /** The URL from which a model of the hub is downloaded; null: huggingface.co. */
  readonly embeddingHub: string | null
  /** The weights of words and meaning in a search of notes; null: the default weights. */
  readonly noteWeights: { readonly words: number | null; readonly meaning: number | null }
  /** The maximum number of tokens of recalled notes that are added to a message; 0: none are added. */
  readonly recallTokens: number
  /** The maximum number of tokens for the user's preferences in a prompt; 0: none are added. */
  readonly preferenceTokens: number
  /** True if reflections may start; null: not configured. */
  readonly reflect: boolean | null
  /** The model of reflections: `session`, or as `provider/model`; null: not configured. */
  readonly reflectionModel: string | null
  /** Idle seconds before a reflection starts. */
  readonly reflectAfterSeconds: number
  readonly undo: UndoSettings.UndoSettings
  readonly secrets: ReadonlyArray<Secrets.Secret>
  /** The servers of the Model Context Protocol. */
  readonly mcp: McpSettings.McpSettings
  readonly languageServers: LanguageServerSettings
  /** True to show the conversation as plain lines, even in a terminal that supports more. */
  readonly plainTerminal: boolean
  /** How the user is notified in the terminal, and the name of the theme. */
  readonly appearance: Required<Pick<NonNullable<ConfigSchema.User["terminal"]>, "notify" | "theme">>
  /** The configured keys of the conversation that differ from the defaults, by action; validated with the configuration. */
  readonly keys: NonNullable<ConfigSchema.User["keys"]>
  readonly editor: NonNullable<ConfigSchema.User["editor"]>
  readonly instructions: ReadonlyArray<Agent.Instruction>
  readonly skills: ReadonlyArray<Skills.Skill>
  /** The hooks of sessions. */
  readonly hooks: ReadonlyArray<ConfiguredHooks.Hook>
  /** The user-defined slash commands. */
  readonly customCommands: ReadonlyArray<CustomCommands.CustomCommand>
  /** The agents that a session can use. */
  readonly agents: ReadonlyArray<Agents.AgentDefinition>
  /** The agent that narrows this session; null: none. */
  readonly agent: Agents.AgentDefinition | null
  /** Sentences for the user about files that are ignored. */
  readonly notices: ReadonlyArray<string>
}

const defaultRecallTokens = 500
const defaultPreferenceTokens = 200
const defaultReflectAfterSeconds = 5

/** Finds the directory that the agent works in. */
export const workspaceRoot = (environment: HostEnvironment, given: string | null): Effect.Effect<string, HostFailure> =>
  WorkspaceRoot.resolveRoot({
    given,
    typedIn: environment.variables["INIT_CWD"],
    current: environment.currentDirectory
  })

export const load = Effect.fnUntraced(function* (
  environment: HostEnvironment,
  given: SettingsOverrides,
  ask: ProjectSettings.AskTrust
): Effect.fn.Return<Settings, HostFailure> {
  if (given.model === "") return yield* invalid("--model is empty", "name it as provider/model")
  const { variables } = environment
  const root = yield* workspaceRoot(environment, given.cwd)
  const dataDirectory = Home.dataDirectory(environment)
  const operator = yield* operatorFile(environment)
  if (given.confined === true) yield* confinement(operator)
  const project = yield* ProjectSettings.load({ workspaceRoot: root, dataDirectory, trust: given.trust }, ask)
  const mcp = McpSettings.toSettings({ operator: operator.mcpServers ?? {}, project: project.mcpServers })
  const { additionalDirectories: configured = [], repository = true } = operator.workspace ?? {}
  const added = [...configured, ...(given.addDir ?? []).map(WorkspaceDirectories.parseFlag)]
  const additionalDirectories = yield* WorkspaceDirectories.resolveAdditional(added, { root, home: environment.home })
  const repositoryRoot =
    repository && given.confined !== true ? yield* WorkspaceDirectories.workspaceAround(root, environment.home) : root
  const writable = [root, repositoryRoot, ...additionalDirectories.map(({ path }) => path)]
  const own = Skills.userSkills(environment, writable)
  const { notices, skills } = yield* Skills.choose([...project.skills, ...own.folders])
  const custom = yield* CustomCommands.read(environment, { project: project.commands, skills })
  const agents = yield* Agents.read(environment, {
    configured: operator.agents ?? {},
    program: environment.agents ?? {},
    project: project.agents
  })
  const agent = yield* Agents.find(agents.agents, given.agent ?? null, project.untrustedAgents)
  const providerVariables = { ...ProviderSettings.variablesOf(operator.providers ?? {}), ...present(variables) }
  return {
    environment,
    dataDirectory,
    workspaceRoot: root,
    repositoryRoot,
    isFolderTrusted: project.isFolderTrusted,
    additionalDirectories,
    model:
      given.model ??
      agent?.model ??
      nonEmpty(variables["BOUGH_MODEL"]) ??
      project.config.model ??
      operator.model ??
      null,
    effort: given.effort ?? operator.effort ?? null,
    providerVariables,
    logins: ProviderSettings.loginsOf(operator.providers ?? {}),
    prices: operator.prices ?? {},
    limits: yield* Limits.mergeLimits(given, operator, [project.config.limits ?? {}, agent?.limits ?? {}]),
    timeouts: operator.timeoutSeconds ?? {},
    approve: given.approve ?? operator.approve ?? "ask",
    rules: [
      ...toWrittenRules({ allow: given.allow }, "--allow"),
      ...toWrittenRules(operator.rules ?? {}, "the operator's configuration"),
      ...toWrittenRules({ allow: hostRules(operator) }, "network.commands of the operator's configuration"),
      ...toWrittenRules(project.config.rules ?? {}, "the project's configuration"),
      ...(agent === null ? [] : toWrittenRules(agent.rules, agent.file))
    ],
    sandbox: operator.sandbox ?? (environment.platform === "darwin" ? "seatbelt" : "bubblewrap"),
    commands: {
      ...(yield* Commands.toSettings(operator.commands)),
      ...(given.confined === true ? { confinedOnly: true } : {})
    },
    network: web(operator),
    noteWeights: {
      words: operator.memory?.weights?.words ?? null,
      meaning: operator.memory?.weights?.meaning ?? null
    },
    recallTokens: operator.memory?.recall === false ? 0 : (operator.memory?.recallTokens ?? defaultRecallTokens),
    preferenceTokens: operator.memory?.preferenceTokens ?? defaultPreferenceTokens,
    reflect: given.reflect ?? operator.memory?.reflect ?? null,
    reflectionModel: operator.reflection?.model ?? null,
    reflectAfterSeconds: operator.memory?.reflectAfterSeconds ?? defaultReflectAfterSeconds,
    undo: UndoSettings.toUndoSettings(operator.undo ?? {}, variables),
    embeddingModel: operator.embedding?.model ?? "static",
    embeddingHub: operator.embedding?.hub ?? null,
    secrets: [
      ...Secrets.collect(providerVariables, operator),
      ...(yield* ProviderSettings.loginSecrets(operator, dataDirectory))
    ],
    mcp,
    languageServers: {
      configured: operator.languageServers ?? {},
      reportsAfterEdits: operator.editDiagnostics ?? true
    },
    plainTerminal: operator.terminal?.plain ?? false,
    appearance: { notify: "bell", theme: "auto", ...operator.terminal },
    keys: operator.keys ?? {},
    editor: operator.editor ?? "default",
    instructions: [
      ...(yield* ownInstructions(environment)),
      ...project.instructions,
      ...Agents.instructions(agent),
      ...Agents.offer(agents.agents),
      ...Skills.instructions(skills)
    ],
    skills,
    hooks: ConfiguredHooks.toHooks(operator.hooks ?? {}, project.config.hooks ?? {}),
    customCommands: custom.commands,
    agents: agents.agents,
    agent,
    notices: [
      ...commandNotices(given, operator),
      ...McpSettings.notices(mcp),
      ...project.notices,
      ...own.unreadable.map(ProjectSettings.describeUnreadable),
      ...notices,
      ...agents.notices,
      ...custom.notices
    ]
  }
})

export interface UndoingSettings extends Pick<Settings, "environment" | "dataDirectory" | "undo" | "secrets"> {
  /** Returns the repository or monorepo around a folder, which is its workspace; the folder itself if there is neither. */
  readonly workspaceAround: (folder: string) => Effect.Effect<string>
}

/** Reads the settings that an undo needs; no file of the project is read. */
export const loadForUndo = Effect.fnUntraced(function* (
  environment: HostEnvironment
): Effect.fn.Return<UndoingSettings, HostFailure> {
  const operator = yield* operatorFile(environment)
  const { home, variables } = environment
  return {
    workspaceAround: (folder) =>
      operator.workspace?.repository === false
        ? Effect.succeed(folder)
        : WorkspaceDirectories.workspaceAround(folder, home),
    environment,
    dataDirectory: Home.dataDirectory(environment),
    undo: UndoSettings.toUndoSettings(operator.undo ?? {}, variables),
    secrets: Secrets.collect(
      { ...ProviderSettings.variablesOf(operator.providers ?? {}), ...present(variables) },
      operator
    )
  }
})

/** Warns about this mode in every session, because commands run without approval. */
const commandNotices = (given: SettingsOverrides, operator: ConfigSchema.User): ReadonlyArray<string> =>
  (given.approve ?? operator.approve) === "commands"
    ? ["every command is allowed, outside of the sandbox too (approve: commands): none needs an approval"]
    : []

const web = ({ network, search }: ConfigSchema.User): WebSettings => {
  const { allow = [], commands: { access = "ask", maxSentBytes } = {}, headers = [] } = network ?? {}
  const commands = access === "off" ? null : maxSentBytes === undefined ? {} : { maxSentBytes }
  if (search === undefined) return { allow, commands, headers, search: null }
  const { key, ...rest } = search
  return { allow, commands, headers, search: key === undefined ? rest : { ...rest, key: Redacted.make(key) } }
}

/** Makes the allow rules of the hosts that the operator opens to commands. */
const hostRules = ({ network }: ConfigSchema.User): ReadonlyArray<string> => {
  const { hosts = [], registries: named = [] } = network?.commands ?? {}
  const all = new Set([...named.flatMap((name): ReadonlyArray<string> => registries[name]), ...hosts])
  return [...all].map((host) => `run_command host=${JSON.stringify(host)}`)
}

const nonEmpty = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

/** Drops empty variables, which would hide a configured value. */
const present = (variables: HostEnvironment["variables"]): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""))

/** Marks rules with their source. */
export const toWrittenRules = (
  rules: { readonly [E in WrittenRule["effect"]]?: ReadonlyArray<ConfigSchema.Rule> },
  from: string
): ReadonlyArray<WrittenRule> =>
  (["deny", "ask", "allow"] as const).flatMap((effect) =>
    (rules[effect] ?? []).map((rule): WrittenRule => {
      const { rule: text, match = [], notMatch = [] } = typeof rule === "string" ? { rule } : rule
      return { effect, text, from, match, notMatch }
    })
  )

/**
 * Fails if the operator's configuration runs commands outside of a sandbox, for programs with other users than the
 * operator.
 */
export const requireConfinement = (environment: HostEnvironment): Effect.Effect<void, HostFailure> =>
  Effect.flatMap(operatorFile(environment), confinement)

const confinement = ({ approve, sandbox }: Pick<ConfigSchema.User, "approve" | "sandbox">) => {
  if (sandbox === "host") {
    return Effect.fail(
      invalid(
        "sandbox: host would give every user the rights of the server",
        'set "bubblewrap", "session", "seatbelt" or "disabled"'
      )
    )
  }
  return approve === "commands"
    ? Effect.fail(
        invalid("approve: commands would give every user the rights of the server", 'set "ask", "deny" or "allow"')
      )
    : Effect.void
}

const operatorFile = Effect.fnUntraced(function* (environment: HostEnvironment) {
  const path = Home.configFile(environment)
  const text = yield* readOwn(path, environment)
  if (text === null) return {} satisfies ConfigSchema.User
  const { read, schema } = yield* reader
  const source = { name: Home.displayPath(path, environment.home), text }
  return yield* read(source, { schema: schema.User, variables: environment.variables, operatorSchema: null })
})

/** Reads a configuration file of the operator; null: it does not exist. Fails if it cannot be read. */
const readOwn = (path: string, { home }: HostEnvironment): Effect.Effect<string | null, HostFailure> =>
  Effect.try({
    try: () => SmallFile.read(path),
    catch: (cause) => {
      const name = Home.displayPath(path, home)
      return failed(`cannot read ${name}: ${SystemError.reason(cause)}`, "make it readable, or move it away", cause)
    }
  })

const ownInstructions = Effect.fnUntraced(function* (environment: HostEnvironment) {
  const path = join(Home.configDirectory(environment), "AGENTS.md")
  const text = yield* readOwn(path, environment)
  return text === null || text.trim() === "" ? [] : [{ source: Home.displayPath(path, environment.home), text }]
})
