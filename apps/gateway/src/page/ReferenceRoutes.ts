/** Serves the API reference to anyone, like the document of the API. */
import { Reference } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { servedFile } from "./PageFiles.ts"
import { respond } from "./PageRoutes.ts"
import * as ReferencePage from "./ReferencePage.ts"
import { style } from "./ReferenceStyle.ts"

const headers = { revalidate: true } as const

/** The page is rendered with the first request, because most starts never show it. */
const page = Effect.runSync(
  Effect.cached(
    Effect.sync(() => servedFile(Buffer.from(ReferencePage.make(Reference.make())), { ...headers, type: ".html" }))
  )
)
const styleSheet = servedFile(Buffer.from(style), { ...headers, type: ".css" })

export const layer = HttpRouter.use((router) =>
  Effect.all(
    [
      router.add("GET", "/reference", (request) => Effect.flatMap(page, (file) => respond(file)(request))),
      router.add("GET", "/reference.css", respond(styleSheet))
    ],
    { discard: true }
  )
)
