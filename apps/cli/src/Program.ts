/** The context of every command: the packs, the process around it, and the adapters that main.ts chose. */
import type { Stores } from "@bough/host/AgentHost"
import type { Settings } from "@bough/host/config/Settings"
import type { HostContext } from "@bough/host/HostContext"
import type { LocalServers, Registry } from "@bough/models"
import type { Model, SessionStore } from "@bough/runtime"
import type { SandboxReport } from "@bough/sandbox"
import type { QuickCheck, StoreTime } from "@bough/store-sqlite"
import type * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { CliFailure } from "./CliFailure.ts"
import type { Output } from "./io/Output.ts"
import type { Terminal } from "./io/Terminal.ts"
import type { Signals } from "./Signals.ts"

export interface Adapters {
  readonly store: (dataDirectory: string) => Layer.Layer<Stores, SessionStore.StoreRefused>
  /** Reads the store, and returns its faults as sentences. */
  readonly storeCheck: typeof QuickCheck.check
  /** The store's clock, compared with the system's. */
  readonly storeTime: Pick<typeof StoreTime, "accept" | "inspect">
  readonly model: (settings: Settings) => Effect.Effect<Registry.Choice, Model.ModelError>
  /** The configured providers, in the order in which they are searched. */
  readonly configuredModels: (
    variables: Settings["providers"]["variables"]
  ) => ReturnType<typeof Registry.listConfigured>
  readonly ollama: {
    readonly address: (variables: Settings["providers"]["variables"]) => string
    /** Returns the models of a running server by name; null: no server answers in time. */
    readonly running: (variables: Settings["providers"]["variables"]) => Effect.Effect<ReadonlyArray<string> | null>
  }
  /** Model servers on this machine that respond now. */
  readonly localServers: (
    variables: Settings["providers"]["variables"]
  ) => Effect.Effect<ReadonlyArray<LocalServers.Server>>
  readonly sandboxReport: (settings: Settings) => Effect.Effect<SandboxReport.SandboxReport>
}

export interface Program extends HostContext {
  readonly version: string
  /** The lines that `--version` prints below the version. */
  readonly packVersions: ReadonlyArray<string>
  /** Opened at its first use: most runs read nothing. */
  readonly stdin: () => NodeJS.ReadStream
  /** The stream that the screen draws on; everything else writes to `output`. */
  readonly stdout: NodeJS.WriteStream
  /** Waits for the silence after which a key may answer a question on the screen. */
  readonly silence: AnswerGuard.Schedule
  readonly output: Output["Service"]
  readonly terminal: Terminal["Service"]
  readonly signals: Signals
  readonly adapters: Adapters
  /** Runs a command line in this process. */
  readonly runCommand: (program: Program, words: ReadonlyArray<string>) => Effect.Effect<void, CliFailure>
}
