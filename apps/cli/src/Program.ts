/** What every command works with: the packs, the process around it, and the adapters that main.ts chose. */
import type { LocalServers, Registry } from "@bough/models"
import type { BlobStore, SessionStore } from "@bough/runtime"
import type { Model } from "@bough/runtime"
import type { Session } from "@bough/protocol"
import type { SandboxReport } from "@bough/sandbox"
import type { QuickCheck, StoreTime } from "@bough/store-sqlite"
import type { Capability, ConversationIndex, NoteStore, ScratchpadStore, SessionKind, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Settings, HostEnvironment } from "./config/Settings.ts"
import type { Memories } from "./memory/Memories.ts"
import type { Output } from "./io/Output.ts"
import type { Signals } from "./Signals.ts"
import type { CliFailure } from "./CliFailure.ts"
import type { Terminal } from "./io/Terminal.ts"

/** The tools of each kind of session. */
export interface Packs {
  readonly main: SessionKind.KindTools
  /** Default: what a Main has. */
  readonly branch?: SessionKind.KindTools
  readonly worker: SessionKind.KindTools
  /** Of who looks back on a conversation and decides what is remembered. Default: nobody does. */
  readonly reflection?: SessionKind.KindTools
  /** Tools declared to the model in full from the start; the others are named, and declared when it asks. Default: all. */
  readonly core?: ReadonlySet<string>
}

type KindsOf<P extends Packs> = P["main"] | P["worker"] | Exclude<P["branch"], undefined>
/** The capabilities that these packs need and Bough does not bring. */
type OwnOf<P extends Packs> = KindsOf<P> extends SessionKind.KindTools<infer Own> ? Own : never
type Unserved<P extends Packs, Provided extends ReadonlyArray<Capability.Provision>> =
  unknown extends OwnOf<P> ? never : Exclude<OwnOf<P>, Provided[number]["capability"]["Identifier"]>

/** What of the packs is not provided, for the compiler to say; `unknown`: nothing. */
export type Served<P extends Packs, Provided extends ReadonlyArray<Capability.Provision>> = [
  Unserved<P, Provided>
] extends [never]
  ? unknown
  : `nothing provides ${Capability.NamesOf<Unserved<P, Provided>>}: pass provide: [Capability.provide(${Capability.NamesOf<Unserved<P, Provided>>}, { service })]`

/** JSON Schemas of arguments by tool, derived before the program was started. */
export type PrebuiltSchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What is kept in the person's data directory. */
export type Stores =
  | SessionStore.SessionStore
  | BlobStore.BlobStore
  | NoteStore.NoteStore
  | ScratchpadStore.ScratchpadStore
  | ConversationIndex.ConversationIndex

export interface Adapters {
  readonly store: (dataDirectory: string) => Layer.Layer<Stores, SessionStore.StoreRefused>
  /** Reads the store; what is wrong with it, in words. */
  readonly storeCheck: typeof QuickCheck.check
  /** The store's clock beside the system's. */
  readonly storeTime: Pick<typeof StoreTime, "accept" | "inspect">
  readonly context: (
    settings: Settings,
    kind: Session.Kind
  ) => Effect.Effect<ToolContext.ToolContext, CliFailure, Scope.Scope | Memories>
  readonly commit: (settings: Settings) => Effect.Effect<string | null>
  readonly model: (settings: Settings) => Effect.Effect<Registry.Choice, Model.ModelError>
  /** The small model of the same provider, by name; null: none is known. */
  readonly smallModel: (name: string, variables: Settings["providerVariables"]) => string | null
  /** What is configured of the providers, in the order in which they are looked for. */
  readonly configuredModels: (variables: Settings["providerVariables"]) => ReturnType<typeof Registry.configured>
  readonly ollama: {
    readonly address: (variables: Settings["providerVariables"]) => string
    /** Its models by name; null: none answers soon. */
    readonly running: (variables: Settings["providerVariables"]) => Effect.Effect<ReadonlyArray<string> | null>
  }
  /** Model servers on this machine that answer now. */
  readonly localServers: (variables: Settings["providerVariables"]) => Effect.Effect<ReadonlyArray<LocalServers.Server>>
  readonly sandboxReport: (settings: Settings) => Effect.Effect<SandboxReport.SandboxReport>
}

export interface Program {
  readonly name: string
  readonly version: string
  readonly packs: Packs
  /** Capabilities that the packs need and Bough does not bring. */
  readonly provide: ReadonlyArray<Capability.Provision>
  readonly schemas: PrebuiltSchemas
  readonly surroundings: HostEnvironment
  /** Opened when it is asked for: most runs read nothing. */
  readonly stdin: () => NodeJS.ReadStream
  readonly output: Output["Service"]
  readonly terminal: Terminal["Service"]
  readonly signals: Signals
  readonly adapters: Adapters
}
