/**
 * Serves the page without authentication: it contains no user data, and every request that it makes needs a sign-in.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { fileURLToPath } from "node:url"
import { acceptsGzip } from "./acceptsGzip.ts"
import * as PageFiles from "./PageFiles.ts"

/** The build of apps/gateway/page, at the same relative path in the sources and in an installed package. */
const builtPage = fileURLToPath(new URL("../../page/dist", import.meta.url))

export const respond = ({ body, gzip, headers }: PageFiles.PageFile) => {
  const plain = HttpServerResponse.uint8Array(body, { headers })
  const packed =
    gzip === null ? plain : HttpServerResponse.uint8Array(gzip, { headers: { ...headers, "content-encoding": "gzip" } })
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.succeed(acceptsGzip(request.headers["accept-encoding"] ?? "") ? packed : plain)
}

/** A route for each file of the page; no routes if the page was not built. */
export const layer = HttpRouter.use((router) =>
  Effect.forEach(PageFiles.load(builtPage), ([path, file]) => router.add("GET", path as `/${string}`, respond(file)), {
    discard: true
  })
)
