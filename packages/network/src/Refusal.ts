/** Refusals of the network. A reason begins with its name, which users and programs may rely on. */
import { ToolError } from "@bough/protocol"

export type Denial =
  /** The URL is neither http nor https. */
  | "Scheme"
  /** A name or password in the URL. */
  | "UserInfo"
  /** Not a URL, or one that programs read in different ways. */
  | "BadUrl"
  /** Loopback, private, link-local, metadata or special: by spelling, by lookup or as connected. */
  | "PrivateAddress"
  /** Not a port of the web. */
  | "Port"
  /** A request header that is not allowed. */
  | "Header"
  | "Method"
  /** A rule, or the labels of the session, forbid this address. */
  | "Host"
  /** A redirect to such an address. */
  | "Redirect"
  /** A redirect from https to http. */
  | "Downgrade"

export type Failure =
  | "NameNotFound"
  | "ConnectionFailed"
  | "TooLarge"
  /** It expands to far more than its compressed size. */
  | "CompressionBomb"
  | "Encoding"
  /** Fewer bytes a second than the limit asks for. */
  | "TooSlow"
  | "TooManyRedirects"
  | "Search"

export const deny = (name: Denial, detail: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({ tier: "ReadOnly", reason: `${name}: ${detail}` })

export const fail = (name: Failure, detail: string, hint?: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: `${name}: ${detail}`, ...(hint === undefined ? {} : { hint }) })

/** Quotes foreign text in a message: control characters are escaped, a long text is cut. */
export const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
