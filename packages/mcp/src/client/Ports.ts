/** The ports that the client needs: processes, requests, and stored facts about servers. */
import type { SessionProcess } from "@bough/tool"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Form from "../Form.ts"
import type { HttpTransport, ServerConfig } from "../ServerConfig.ts"
import type * as Credentials from "./auth/Credentials.ts"

/** The reason why a server is unavailable, as a sentence. */
export class ServerFailed extends Schema.TaggedError<ServerFailed>()("ServerFailed", {
  message: Schema.String
}) {}

export type JsonValue = Schema.Json

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Gives access to the users' logins at servers. */
export interface Logins {
  /** Returns the store of the login at a server. Each address has its own login. */
  readonly store: (server: Pick<ServerConfig, "name" | "transport">) => Credentials.Store
  /**
   * Sends to authorization servers within the rules of the network; the MCP server's own address determines which
   * addresses count as local.
   */
  readonly fetch: (server: HttpTransport) => Fetch
  /** The command that logs a user in, for messages. */
  readonly command: (server: string) => string
}

export interface Ports {
  /** Absent: a server that requires a login is unavailable. */
  readonly logins?: Logins
  readonly start: SessionProcess.Start
  /** Sends requests to servers that are reached over HTTP; default: the platform's `fetch`. */
  readonly fetch?: Fetch
  /** Texts that are stored between runs, by key; they contain no secret. */
  readonly memory: {
    readonly recall: (key: string) => string | null
    readonly remember: (key: string, text: string) => void
  }
  /**
   * Shows a server's request for input to the user and waits; absent: no user is present, and each request is declined
   * at once.
   */
  readonly elicit?: (request: Form.Request) => Effect.Effect<Form.Reply>
  /** Receives sentences for the user. */
  readonly onNotice: (sentence: string) => void
}
