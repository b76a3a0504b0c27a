/**
 * Reads pages and PDFs in a thread: their authors are not trusted, and parsers may hang, or use up the memory, on
 * crafted bytes.
 */
import { ToolError } from "@bough/protocol"
import { BoundedThreads } from "@bough/thread"
import * as Effect from "effect/Effect"
import type { Reply, Request } from "../reading/ReadingThread.ts"
import type { Page } from "./markdown.ts"

/** The time limit of the thread; the tool's own timeout ends earlier. */
const maxMillis = 20_000

const threads = BoundedThreads.make<Request, Reply>({
  module: new URL(import.meta.resolve("@bough/pack-web/reading/ReadingThread")),
  maxHeapMegabytes: 256,
  maxGrowthMegabytes: 512,
  maxMillis
})

/** Reads a document in a thread. `documentName`, such as "the PDF", is its name in errors. */
export const read = (documentName: string, request: Request): Effect.Effect<Page, ToolError.ToolError> =>
  threads.run(request).pipe(
    Effect.mapError(({ message }) => unreadable(documentName, message)),
    Effect.flatMap((reply) =>
      reply._tag === "Read" ? Effect.succeed(reply.page) : Effect.fail(unreadable(documentName, reply.reason))
    )
  )

const unreadable = (documentName: string, reason: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: `${documentName} cannot be read: ${reason}` })
