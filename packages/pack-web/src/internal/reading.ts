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

/** Reads a document in a thread. Errors name its address. */
export const read = (address: string, request: Request): Effect.Effect<Page, ToolError.ToolError> =>
  threads.run(request).pipe(
    Effect.mapError(({ message }) => unreadable(address, message)),
    Effect.flatMap((reply) =>
      reply._tag === "Read" ? Effect.succeed(reply.page) : Effect.fail(unreadable(address, reply.reason))
    )
  )

const unreadable = (address: string, reason: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: `${address} cannot be read: ${reason}` })
