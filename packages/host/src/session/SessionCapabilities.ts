/** The capabilities of one kind of session: workspace, network, memory, variables, commands in the configured sandbox. */
import { Directory, SmallFile } from "@bough/disk"
import * as Network from "@bough/network/Network"
import * as CommandProxy from "@bough/network/proxy/CommandProxy"
import type { Session } from "@bough/protocol"
import { BackgroundCommands, ProcessRunnerNode, Sandbox, SessionVariables, type TrialCache } from "@bough/sandbox"
import { Capability, ToolContext } from "@bough/tool"
import { HeadCommit, Workspace } from "@bough/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"
import * as Home from "../config/Home.ts"
import type { Settings } from "../config/Settings.ts"
import { failed } from "../HostFailure.ts"
import { Memories } from "../memory/Memories.ts"
import { redactionOf } from "./SecretSearch.ts"
import * as SessionLanguageServers from "./SessionLanguageServers.ts"
import * as SessionSnapshots from "./SessionSnapshots.ts"
import * as SessionVault from "./SessionVault.ts"
import { markUntrusted } from "./UntrustedFolder.ts"

/** The commands that continue after their calls, shared by all sessions of a tree; null: no command does. */
export const Background = Context.Reference<BackgroundCommands.BackgroundCommands | null>(
  "@bough/host/BackgroundCommands",
  { defaultValue: () => null }
)

/** The variables that the sessions of a tree set. */
export const Variables = Context.Reference<SessionVariables.OwnVariables>("@bough/host/SessionVariables", {
  defaultValue: () => new Map()
})

/** The folders of the operator's own files, which are hidden from every tool and command, even inside the workspace. */
export const ownPlaces = ({
  dataDirectory,
  environment
}: Pick<Settings, "dataDirectory" | "environment">): ReadonlyArray<string> => [
  dataDirectory,
  Home.configDirectory(environment)
]

/** The file in which the program records that the sandbox works, so that the sandbox is not tested at every start. */
const triedBefore = ({ dataDirectory }: Settings): TrialCache => {
  const path = join(dataDirectory, "sandbox-checks.json")
  return {
    recall: () => SmallFile.read(path),
    remember: (text) => void Result.try(() => SmallFile.replace(path, text))
  }
}

/** Makes the sandbox; with `retest`, every property is tried again. */
export const sandbox = (
  settings: Settings,
  { retest }: { readonly retest: boolean } = { retest: false }
): Effect.Effect<Sandbox.Sandbox> =>
  Effect.suspend(() => {
    const roots = [
      settings.workspace.repositoryRoot,
      ...settings.workspace.additionalDirectories.map(({ path }) => path)
    ]
    const inside = ownPlaces(settings).filter((path) => roots.some((root) => path.startsWith(`${root}/`)))
    // Creates a missing folder, because it can only be hidden if it exists and a command could create it. If creating
    // it fails here, it would fail for a command too.
    for (const path of inside) Result.try(() => Directory.make(path))
    const { allow, commands } = settings.network
    return Sandbox.make(
      { backend: settings.sandbox.backend, hiddenPaths: ownPlaces(settings), ...settings.sandbox.commands },
      withoutSecrets(settings),
      {
        proxy: commands === null ? null : CommandProxy.make({ allow, ...commands }),
        tried: retest ? null : triedBefore(settings)
      }
    )
  })

/** Returns the operator's variables without those whose value contains a known secret, regardless of their names. */
const withoutSecrets = ({ environment, secrets }: Settings): Settings["environment"]["variables"] => {
  const { holdsSecret } = redactionOf({ secrets })
  return Object.fromEntries(
    Object.entries(environment.variables).filter(([, value]) => value === undefined || !holdsSecret(value))
  )
}

/** Makes the capabilities of a kind of session, until the scope closes. */
export const context = Effect.fnUntraced(function* (settings: Settings, kind: Session.Kind) {
  const provided = yield* provideAll(settings, kind)
  return settings.workspace.isTrusted ? provided : markUntrusted(provided)
})

const provideAll = Effect.fnUntraced(function* (settings: Settings, kind: Session.Kind) {
  const {
    workspace: { additionalDirectories, repositoryRoot: repository, root }
  } = settings
  const snapshots = kind === "Worker" ? null : yield* SessionSnapshots.Current
  const vault = yield* SessionVault.Current
  const workspace = yield* Workspace.make({
    root,
    ...(vault === null ? {} : { secretPaths: vault.secretPaths }),
    ...(snapshots === null ? {} : { restorable: snapshots.restorable }),
    repository,
    additionalDirectories,
    protectedPaths: ownPlaces(settings),
    temporariesDirectory: join(settings.dataDirectory, "temporaries"),
    variables: settings.environment.variables
  }).pipe(
    Effect.provide(ProcessRunnerNode.layer),
    Effect.mapError((error) => failed(`cannot work in ${root}: ${error.message}`, "choose another with --cwd", error))
  )
  const network = Network.make(settings.network)
  const memories = yield* Memories
  const workspaceAndNetwork = Network.provideReads(Workspace.provideReads(ToolContext.empty(kind), workspace), network)
  const servers = yield* SessionLanguageServers.Current
  const withReads = SessionLanguageServers.provide(memories.provideReads(workspaceAndNetwork), servers, {
    settings,
    workspace
  })
  if (kind === "Worker") return withReads
  const { provided: environment, variablesOf } = SessionVariables.make({
    host: settings.environment.variables,
    extraKeys: settings.sandbox.commands.environmentKeys ?? [],
    holdsSecret: redactionOf(settings).holdsSecret,
    storage: yield* Variables
  })
  const background = yield* Background
  const place = {
    root,
    repository,
    additionalDirectories,
    writable: true,
    variablesOf,
    ...(background === null ? {} : { background }),
    ...(vault === null ? {} : { vault: vault.commands })
  }
  const commands = (yield* sandbox(settings)).provided(place)
  const withWrites = memories.provideWrites(
    Network.provideWrites(Workspace.provideWrites(withReads, workspace), network)
  )
  const withCommands = ToolContext.provide(withWrites, Capability.Execution, commands)
  const withVariables = ToolContext.provide(withCommands, Capability.Environment, environment)
  return vault === null ? withVariables : ToolContext.provide(withVariables, Capability.Vault, vault.provided)
})

/** Returns the git commit of the workspace; null: there is none. */
export const commit = (settings: Settings): Effect.Effect<string | null> =>
  Effect.provide(HeadCommit.headCommit(settings.workspace.root), ProcessRunnerNode.layer)
