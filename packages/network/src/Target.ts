/** Parses a URL to which a request may be sent, from its text alone: once, strictly, and in its canonical form. */
import type { ToolError } from "@bough/protocol"
import * as Result from "effect/Result"
import { isIP } from "node:net"
import * as Refusal from "./Refusal.ts"

export interface Target {
  readonly url: URL
  /** The host in lower case, without brackets and without a final dot. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** True if the host is an address, not a name. */
  readonly literal: boolean
}

const maxUrlLength = 8192

/** `base`: the URL to which a redirect's location is relative. */
export const parse = (text: string, base?: URL): Result.Result<Target, ToolError.PermissionDenied> => {
  if (text.length > maxUrlLength) return denyTarget("BadUrl", `longer than ${maxUrlLength} characters`)
  // The standard's parser drops some of these characters and treats others as "/": users would see another URL than the
  // requested one.
  if (/[\0-\x20\x7F\\]/.test(text)) return denyTarget("BadUrl", "a space, control character or backslash")
  const url = URL.parse(text, base)
  if (url === null) return denyTarget("BadUrl", `${Refusal.quote(text)} is not a URL`)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return denyTarget("Scheme", `only http and https, not ${Refusal.quote(url.protocol)}`)
  }
  if (base === undefined && !/^https?:\/\/[^/]/i.test(text))
    return denyTarget("BadUrl", "write it as https://host/path")
  if (url.username !== "" || url.password !== "") return denyTarget("UserInfo", "no name or password in a URL")
  return fromUrl(url)
}

const fromUrl = (url: URL): Result.Result<Target, ToolError.PermissionDenied> => {
  const secure = url.protocol === "https:"
  const host = canonicalHost(url.hostname)
  if (host === "") return denyTarget("BadUrl", "it names no host")
  url.hash = ""
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  return Result.succeed({ url, host, port, secure, literal: isIP(host) !== 0 })
}

/** Returns the canonical form of a host, as in `URL.hostname`. */
export const canonicalHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase()

const denyTarget = (name: Refusal.Denial, detail: string): Result.Result<never, ToolError.PermissionDenied> =>
  Result.fail(Refusal.deny(name, detail))
