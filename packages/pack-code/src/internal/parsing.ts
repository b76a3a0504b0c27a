/**
 * Parses source files in a thread with limits: their authors are not trusted, and a grammar may hang on crafted bytes.
 */
import { BoundedThreads } from "@bough/thread"
import * as Effect from "effect/Effect"
import type { Reply, Request } from "../parsing/ParsingThread.ts"
import type { FileSymbols } from "./Symbols.ts"

export interface ParseRequest {
  readonly language: string
  readonly bytes: Uint8Array
}

const maxMillisPerFile = 1000

const threads = BoundedThreads.make<Request, Reply>({
  module: new URL(import.meta.resolve("@bough/pack-code/parsing/ParsingThread")),
  maxHeapMegabytes: 256,
  maxGrowthMegabytes: 512,
  maxMillis: 20_000
})

/**
 * Parses all files at once; if that ends the thread, it parses them one after another, so that only the file at fault
 * is lost. A string is the reason why a file could not be parsed.
 */
export const parse = (files: ReadonlyArray<ParseRequest>): Effect.Effect<ReadonlyArray<FileSymbols | string>> =>
  files.length === 0
    ? Effect.succeed([])
    : threads.run({ files, maxMillisPerFile }).pipe(
        Effect.catchTag("ThreadEnded", ({ message }) =>
          files.length === 1
            ? Effect.succeed<Reply>([message])
            : Effect.map(
                Effect.forEach(files, (file) => parse([file])),
                (replies) => replies.flat()
              )
        )
      )
