/** The parts of the world that the client needs: processes, requests, and what is remembered of servers. */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as ErrorSchema from "effect/Schema"
import type { StdioTransport } from "../ServerConfig.ts"

/** Why a server is not there, as a sentence. */
export class ServerFailed extends ErrorSchema.TaggedError<ServerFailed>()("ServerFailed", {
  message: ErrorSchema.String
}) {}

/** A running server process. */
export interface ServerProcess {
  /** Writes to its standard input. */
  readonly write: (text: string) => void
}

export interface ProcessEvents {
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void
  /** Called once, with how it ended. */
  readonly onEnd: (how: string) => void
}

export type JsonValue = Schema.Json

export interface Ports {
  /** Starts a process that ends with the scope. */
  readonly start: (
    transport: StdioTransport,
    events: ProcessEvents
  ) => Effect.Effect<ServerProcess, ServerFailed, Scope.Scope>
  /** Sends requests to servers that are reached by HTTP; left out: the platform's. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Texts that are kept between runs, by key; they hold no secret. */
  readonly memory: {
    readonly recall: (key: string) => string | null
    readonly remember: (key: string, text: string) => void
  }
  /** Receives sentences for the user. */
  readonly onNotice: (sentence: string) => void
}
