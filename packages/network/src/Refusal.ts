/** Refusals of the network. A reason begins with its name, which users and programs may rely on. */
import { type RefusalName, ToolError } from "@bough/protocol"

export type Denial =
  /** The URL is neither http nor https. */
  | "Scheme"
  /** The URL contains a name or password. */
  | "UserInfo"
  /** The text is not a URL, or is a URL that programs interpret in different ways. */
  | "BadUrl"
  /**
   * The address is loopback, private, link-local, metadata or special: according to its spelling, to the lookup or to
   * the connection.
   */
  | "PrivateAddress"
  /** The port is not a port of the web. */
  | "Port"
  /** The request header is not allowed. */
  | "Header"
  | "Method"
  /** A rule, or the labels of the session, forbids this address. */
  | "Host"
  /** A redirect leads to a forbidden address. */
  | "Redirect"
  /** A redirect leads from https to http. */
  | "Downgrade"

export type Failure =
  | "NameNotFound"
  | "ConnectionFailed"
  | "TooLarge"
  /** The response expands to far more than its compressed size. */
  | "CompressionBomb"
  | "Encoding"
  /** The response delivers fewer bytes per second than the limit requires. */
  | "TooSlow"
  | "TooManyRedirects"
  | "Search"

export const deny = (name: Denial, detail: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({ tier: "ReadOnly", reason: `${name satisfies RefusalName.RefusalName}: ${detail}` })

export const fail = (name: Failure, detail: string, hint?: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `${name satisfies RefusalName.RefusalName}: ${detail}`,
    ...(hint === undefined ? {} : { hint })
  })

/** Quotes foreign text in a message: control characters are escaped, and long text is cut. */
export const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
