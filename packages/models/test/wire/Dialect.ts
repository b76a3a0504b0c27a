/** The requests and answers of a provider's server, in terms that all of them share. */
import type { Provider } from "../../src/Provider.ts"

/** One part of a reply. `open`: the reply is cut before it ends. */
export type ReplyPart =
  | { readonly is: "text"; readonly text: string; readonly open?: boolean }
  | { readonly is: "reasoning"; readonly text: string; readonly signature: string }
  | {
      readonly is: "call"
      readonly id: string
      readonly name: string
      readonly fragments: ReadonlyArray<string>
      /** The signature, if the provider signs calls. */
      readonly signature?: string
      readonly open?: boolean
    }

export interface Tokens {
  /** All input tokens, cached and written included. */
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

export interface Reply {
  readonly said: ReadonlyArray<ReplyPart>
  readonly ends: "stop" | "calls" | "length"
  readonly tokens: Tokens
}

export type Chunk = string | Uint8Array

/** A stream, with its final end marker kept apart. */
export interface Stream {
  readonly body: ReadonlyArray<Chunk>
  readonly closing: ReadonlyArray<Chunk>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a request of any provider, read by the dialect that knows it
export type Body = any

export interface Dialect {
  readonly provider: Provider
  /** A model that the provider has, with a price if prices are known. */
  readonly model: string
  readonly environment: (origin: string, key: string) => Readonly<Record<string, string>>
  readonly path: RegExp
  /** Headers of the request that contain the key. */
  readonly keyHeader: string
  readonly contentType: string
  readonly encode: (reply: Reply) => Stream
  /** An error in the provider's format. */
  readonly failure: (status: number, message: string) => unknown
  /** An overload that the provider reports inside a stream that started well. */
  readonly overload: (message: string) => Chunk
  /** True if arguments are text that the model writes; else they are a value and cannot be malformed. */
  readonly writesArguments: boolean
  /** True if it shows the model's reasoning. */
  readonly reasons: boolean
  /** Results of calls in the request, oldest first, as JSON text. */
  readonly results: (body: Body) => ReadonlyArray<string>
  /** The provider's signatures that the request sends back; null: it signs nothing. */
  readonly signatures: ((body: Body) => ReadonlyArray<string>) | null
  /** Tools as declared. */
  readonly tools: (body: Body) => unknown
  readonly countsWritten: boolean
  /** The token limit of the reply in the request. */
  readonly limit: (body: Body) => number | undefined
}

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

export const joined = (call: Extract<ReplyPart, { readonly is: "call" }>): string => call.fragments.join("")
