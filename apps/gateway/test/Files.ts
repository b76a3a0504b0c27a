/** Uploads and downloads of files at the running server. */
import * as Effect from "effect/Effect"
import type { Gateway } from "./Gateway.ts"

export interface Uploaded {
  readonly status: number
  readonly headers: Headers
  readonly json: any // oxlint-disable-line typescript/no-explicit-any -- a test reads what it expects
}

/** Sends bytes as the body of a request. */
export const upload = (
  { url }: Pick<Gateway, "url">,
  path: string,
  options: {
    readonly token: string
    readonly body: Uint8Array | string | ReadableStream<Uint8Array>
    readonly headers?: Readonly<Record<string, string>>
  }
): Effect.Effect<Uploaded> =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${options.token}`,
        "content-type": "application/octet-stream",
        ...options.headers
      },
      body: options.body,
      signal,
      ...(options.body instanceof ReadableStream ? { duplex: "half" } : {})
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) }
  })

/** Fetches the bytes of a file. */
export const download = ({ url }: Pick<Gateway, "url">, path: string, token: string) =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal })
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer())
    }
  })

/** A PNG image of one pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)
