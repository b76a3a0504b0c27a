/** AWS Signature Version 4 as a server checks it: from the request and the secret that it knows. */
import { createHash, createHmac } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as it came. */
  readonly text: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Uint8Array, text: string): Uint8Array => createHmac("sha256", key).update(text).digest()

/** The signature that this request must carry. */
export const of = ({ headers, path, text }: Received, secret: string): string => {
  const { authorization = "" } = headers
  const [, scope = "", signed = ""] = /Credential=[^/]+\/(\S+), SignedHeaders=(\S+),/.exec(authorization) ?? []
  const names = signed.split(";")
  const [pathname] = path.split("?")
  const canonical = [
    "POST",
    pathname.split("/").map(encodeURIComponent).join("/"),
    "",
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    sha256(text)
  ].join("\n")
  const [date, region, service, ending] = scope.split("/")
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n")
  const key = [region, service, ending].reduce((key, part) => hmac(key, part), hmac(`AWS4${secret}`, date))
  return createHmac("sha256", key).update(toSign).digest("hex")
}
