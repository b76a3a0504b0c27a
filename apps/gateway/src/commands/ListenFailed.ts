/** The reason why the gateway cannot listen on its address, with the way to change the address. */
import type { ServeError } from "effect/http/HttpServerError"
import * as Schema from "effect/Schema"

const codeOf = ({ cause }: ServeError): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "unknown"

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

const sentence = ({ host, port }: ListenAddress, code: string): string => {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use; choose another one with --port, or any free one with --port 0`
    case "EACCES":
      return `port ${port} of ${host} needs more rights; choose one above 1023 with --port`
    case "EADDRNOTAVAIL":
      return `${host} is not an address of this machine; choose one with --host`
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host ${host} is not known; choose an address of this machine with --host`
    default:
      return `cannot listen on ${host}:${port} (${code}); choose another address with --host and --port`
  }
}

export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  host: Schema.String,
  port: Schema.Number,
  code: Schema.String
}) {
  override get message(): string {
    return sentence(this, this.code)
  }
}

export const fromServeError =
  ({ host, port }: ListenAddress) =>
  (error: ServeError): ListenFailed =>
    new ListenFailed({ host, port, code: codeOf(error) })
