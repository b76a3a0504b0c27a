/**
 * The settings of a session. The order of precedence: overrides, environment variables, the project's file, the
 * operator's file. Files of a project only apply once the user trusts their current content.
 */
import type { Effort, SettingNames } from "@bough/models"
import type { Search } from "@bough/network"
import type { Policy } from "@bough/policy"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Agents from "../agents/Agents.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"
import type { LanguageServerSettings } from "../languageServers/LanguageServerSettings.ts"
import type { Login } from "../login/LoginSchema.ts"
import * as McpSettings from "../mcp/McpSettings.ts"
import * as WorkspaceDirectories from "../project/WorkspaceDirectories.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import * as WrittenRules from "../rules/WrittenRules.ts"
import * as Commands from "./Commands.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"
import * as Extensions from "./Extensions.ts"
import * as Home from "./Home.ts"
import type { HostEnvironment } from "./HostEnvironment.ts"
import * as Limits from "./Limits.ts"
import * as MemorySettings from "./MemorySettings.ts"
import * as OperatorFile from "./OperatorFile.ts"
import * as ProjectSettings from "./ProjectSettings.ts"
import * as ProviderSettings from "./ProviderSettings.ts"
import * as Secrets from "./Secrets.ts"
import type { Timeouts } from "./Timeouts.ts"
import * as UndoSettings from "./UndoSettings.ts"

export type { HostEnvironment } from "./HostEnvironment.ts"

/** Settings of a command line or a request, which take precedence over all others. Null: not set. */
export interface SettingsOverrides extends Limits.LimitOverrides {
  readonly cwd: string | null
  /** The values of `--add-dir`, as written. */
  readonly addDir?: ReadonlyArray<string>
  /** The name of the session's agent; default: none, so that the session may do all that its kind allows. */
  readonly agent?: string | null
  readonly model: string | null
  /** The model of the session that continues; a model that the user names for this run takes precedence. */
  readonly continuedModel?: string | null
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

/** Private services that the web tools reach, headers that they send, and the search provider. */
export interface WebSettings {
  readonly allow: NonNullable<NonNullable<ConfigSchema.User["network"]>["allow"]>
  readonly headers: NonNullable<NonNullable<ConfigSchema.User["network"]>["headers"]>
  readonly search: Search.Settings | null
  /** Null: commands have no network. */
  readonly commands: { readonly maxSentBytes?: number } | null
}

/** The folders that a session works in. */
export interface WorkspaceSettings {
  readonly root: string
  /** The root of the repository around the folder; the folder itself if there is none. */
  readonly repositoryRoot: string
  readonly additionalDirectories: ReadonlyArray<WorkspaceDirectories.AdditionalDirectory>
  /** True if the user trusts the folder: text from its files is data, but not labelled untrusted. */
  readonly isTrusted: boolean
}

export interface ModelSettings {
  /** The model as `provider/model`; null: none is configured. */
  readonly name: string | null
  /** The reasoning effort of the model; null: its provider's default. */
  readonly effort: Effort.Effort | null
  readonly prices: NonNullable<ConfigSchema.User["prices"]>
}

/** The access to the providers of models. */
export interface ProviderAccess {
  /** Keys and addresses of providers, by the names of their variables. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The keys of the configuration that set some of `variables`, by the variable's name. */
  readonly settingNames: SettingNames.SettingNames
  /** The logins that the configuration declares, by provider. */
  readonly logins: Readonly<Record<string, Login>>
}

/** The decisions that need no person. */
export interface PolicySettings {
  readonly approve: Policy.Approve
  readonly rules: ReadonlyArray<WrittenRules.RuleSource>
}

export interface SandboxSettings {
  readonly backend: NonNullable<ConfigSchema.User["sandbox"]>
  readonly commands: Commands.CommandSettings
}

/** The servers that a session starts or connects to. */
export interface ServerSettings {
  /** The servers of the Model Context Protocol. */
  readonly mcp: McpSettings.McpSettings
  readonly languages: LanguageServerSettings
}

/** The look and the keys of the conversation in a terminal. */
export interface TerminalSettings extends Required<Pick<ConfiguredTerminal, "notify" | "theme">> {
  /** True to show the conversation as plain lines, even in a terminal that supports more. */
  readonly plain: boolean
  /** The configured keys that differ from the defaults, by action; validated with the configuration. */
  readonly keys: NonNullable<ConfigSchema.User["keys"]>
  readonly editor: NonNullable<ConfigSchema.User["editor"]>
}

type ConfiguredTerminal = NonNullable<ConfigSchema.User["terminal"]>

export interface Settings {
  readonly environment: HostEnvironment
  readonly dataDirectory: string
  readonly workspace: WorkspaceSettings
  readonly model: ModelSettings
  readonly providers: ProviderAccess
  readonly limits: Agent.Limits
  readonly timeouts: Timeouts
  readonly policy: PolicySettings
  readonly sandbox: SandboxSettings
  readonly network: WebSettings
  readonly memory: MemorySettings.MemorySettings
  readonly undo: UndoSettings.UndoSettings
  readonly secrets: ReadonlyArray<Secrets.Secret>
  readonly servers: ServerSettings
  readonly terminal: TerminalSettings
  readonly extensions: Extensions.Extensions
  /** The agent that narrows this session; null: none. */
  readonly agent: Agents.AgentDefinition | null
  /** Sentences for the user about files that are ignored. */
  readonly notices: ReadonlyArray<string>
}

/** Finds the directory that the agent works in. */
export const workspaceRoot = (environment: HostEnvironment, cwd: string | null): Effect.Effect<string, HostFailure> =>
  WorkspaceRoot.resolveRoot({
    requested: cwd,
    typedIn: environment.variables["INIT_CWD"],
    current: environment.currentDirectory
  })

export const load = Effect.fnUntraced(function* (
  environment: HostEnvironment,
  overrides: SettingsOverrides,
  ask: ProjectSettings.AskTrust
): Effect.fn.Return<Settings, HostFailure> {
  if (overrides.model === "") return yield* invalid("--model is empty", "name it as provider/model")
  const root = yield* workspaceRoot(environment, overrides.cwd)
  const dataDirectory = Home.dataDirectory(environment)
  const operator = yield* OperatorFile.load(environment)
  if (overrides.confined === true) yield* OperatorFile.checkConfinement(operator)
  const project = yield* ProjectSettings.load({ workspaceRoot: root, dataDirectory, trust: overrides.trust }, ask)
  const workspace = yield* workspaceOf({ environment, operator, overrides, project, root })
  const { agent, extensions, notices } = yield* Extensions.read(environment, {
    operator,
    project,
    agentName: overrides.agent ?? null,
    writable: writableIn(workspace)
  })
  const sources = { environment, operator, overrides, project, agent }
  const providers = providersOf(environment, operator)
  const servers = serversOf(sources)
  return {
    environment,
    dataDirectory,
    workspace,
    model: {
      name: modelNameOf(sources),
      effort: overrides.effort ?? operator.effort ?? null,
      prices: operator.prices ?? {}
    },
    providers,
    limits: yield* Limits.mergeLimits(overrides, operator, [project.config.limits ?? {}, agent?.limits ?? {}]),
    timeouts: operator.timeoutSeconds ?? {},
    policy: { approve: overrides.approve ?? operator.approve ?? "ask", rules: rulesOf(sources) },
    sandbox: yield* sandboxOf(sources),
    network: web(operator),
    memory: MemorySettings.toMemorySettings(operator, overrides.reflect),
    undo: UndoSettings.toUndoSettings(operator.undo ?? {}, environment.variables),
    secrets: [
      ...Secrets.collect(providers.variables, operator),
      ...(yield* ProviderSettings.loginSecrets(operator, dataDirectory))
    ],
    servers,
    terminal: terminalOf(operator),
    extensions,
    agent,
    notices: [...commandNotices(sources), ...McpSettings.notices(servers.mcp), ...project.notices, ...notices]
  }
})

/** The sources of settings, which take precedence over each other. */
interface Sources {
  readonly environment: HostEnvironment
  readonly operator: ConfigSchema.User
  readonly overrides: SettingsOverrides
  readonly project: ProjectSettings.ProjectSettings
  readonly agent: Agents.AgentDefinition | null
}

/** Finds the directories of the workspace: the folder, the repository around it, and the added ones. */
const workspaceOf = Effect.fnUntraced(function* ({
  environment: { home },
  operator,
  overrides,
  project,
  root
}: Omit<Sources, "agent"> & { readonly root: string }): Effect.fn.Return<WorkspaceSettings, HostFailure> {
  const { additionalDirectories: configured = [], repository = true } = operator.workspace ?? {}
  const added = [...configured, ...(overrides.addDir ?? []).map(WorkspaceDirectories.parseFlag)]
  const reachesAround = repository && overrides.confined !== true
  return {
    root,
    additionalDirectories: yield* WorkspaceDirectories.resolveAdditional(added, { root, home }),
    repositoryRoot: reachesAround ? yield* WorkspaceDirectories.workspaceAround(root, home) : root,
    isTrusted: project.isFolderTrusted
  }
})

const writableIn = ({ additionalDirectories, repositoryRoot, root }: WorkspaceSettings) => [
  root,
  repositoryRoot,
  ...additionalDirectories.map(({ path }) => path)
]

const modelNameOf = ({ agent, environment, operator, overrides, project }: Sources): string | null =>
  overrides.model ??
  agent?.model ??
  nonEmpty(environment.variables["BOUGH_MODEL"]) ??
  overrides.continuedModel ??
  project.config.model ??
  operator.model ??
  null

const rulesOf = ({ agent, operator, overrides, project }: Sources): ReadonlyArray<WrittenRules.RuleSource> => [
  ...WrittenRules.toWrittenRules({ allow: overrides.allow }, { from: "--allow", folder: null }),
  ...WrittenRules.toWrittenRules(operator.rules ?? {}, { from: "the operator's configuration", folder: null }),
  ...WrittenRules.toWrittenRules(
    { allow: WrittenRules.openedHosts(operator) },
    { from: "network.commands of the operator's configuration", folder: null }
  ),
  ...WrittenRules.toWrittenRules(project.config.rules ?? {}, {
    from: "the project's configuration",
    folder: project.configFolder
  }),
  ...(agent === null ? [] : WrittenRules.toWrittenRules(agent.rules, { from: agent.file, folder: agent.folder }))
]

const providersOf = (environment: HostEnvironment, operator: ConfigSchema.User): ProviderAccess => ({
  variables: variablesOf(environment, operator),
  settingNames: ProviderSettings.settingNamesOf(operator.providers ?? {}, present(environment.variables)),
  logins: ProviderSettings.loginsOf(operator.providers ?? {})
})

const sandboxOf = ({ environment, operator, overrides }: Sources): Effect.Effect<SandboxSettings, HostFailure> =>
  Effect.map(Commands.toSettings(operator.commands), (commands) => ({
    backend: operator.sandbox ?? (environment.platform === "darwin" ? "seatbelt" : "bubblewrap"),
    commands: { ...commands, ...(overrides.confined === true ? { confinedOnly: true } : {}) }
  }))

const serversOf = ({ operator, project }: Sources): ServerSettings => ({
  mcp: McpSettings.toSettings({ operator: operator.mcpServers ?? {}, project: project.mcpServers }),
  languages: {
    configured: operator.languageServers ?? {},
    reportsAfterEdits: operator.editDiagnostics ?? true
  }
})

const terminalOf = ({ editor = "default", keys = {}, terminal = {} }: ConfigSchema.User): TerminalSettings => ({
  plain: terminal.plain ?? false,
  notify: terminal.notify ?? "bell",
  theme: terminal.theme ?? "auto",
  keys,
  editor
})

/** Returns the variables of providers that the operator configures; those of the environment take precedence. */
const variablesOf = ({ variables }: HostEnvironment, operator: ConfigSchema.User) => ({
  ...ProviderSettings.variablesOf(operator.providers ?? {}),
  ...present(variables)
})

export interface UndoingSettings extends Pick<Settings, "environment" | "dataDirectory" | "undo" | "secrets"> {
  /** Returns the repository or monorepo around a folder, which is its workspace; the folder itself if there is neither. */
  readonly workspaceAround: (folder: string) => Effect.Effect<string>
}

/** Reads the settings that an undo needs; no file of the project is read. */
export const loadForUndo = Effect.fnUntraced(function* (
  environment: HostEnvironment
): Effect.fn.Return<UndoingSettings, HostFailure> {
  const operator = yield* OperatorFile.load(environment)
  const { home, variables } = environment
  return {
    workspaceAround: (folder) =>
      operator.workspace?.repository === false
        ? Effect.succeed(folder)
        : WorkspaceDirectories.workspaceAround(folder, home),
    environment,
    dataDirectory: Home.dataDirectory(environment),
    undo: UndoSettings.toUndoSettings(operator.undo ?? {}, variables),
    secrets: Secrets.collect(variablesOf(environment, operator), operator)
  }
})

/** Warns about this mode in every session, because commands run without approval. */
const commandNotices = ({ operator, overrides }: Sources): ReadonlyArray<string> =>
  (overrides.approve ?? operator.approve) === "commands"
    ? ["every command is allowed, outside of the sandbox too (approve: commands): none needs an approval"]
    : []

const web = ({ network, search }: ConfigSchema.User): WebSettings => {
  const { allow = [], commands: { access = "ask", maxSentBytes } = {}, headers = [] } = network ?? {}
  const commands = access === "off" ? null : maxSentBytes === undefined ? {} : { maxSentBytes }
  if (search === undefined) return { allow, commands, headers, search: null }
  const { key, ...rest } = search
  return { allow, commands, headers, search: key === undefined ? rest : { ...rest, key: Redacted.make(key) } }
}

const nonEmpty = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

/** Drops empty variables, which would hide a configured value. */
const present = (variables: HostEnvironment["variables"]): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""))

/**
 * Fails if the operator's configuration runs commands outside of a sandbox, for programs with other users than the
 * operator.
 */
export const requireConfinement = (environment: HostEnvironment): Effect.Effect<void, HostFailure> =>
  Effect.flatMap(OperatorFile.load(environment), OperatorFile.checkConfinement)
