/** The text of a PDF, page after page. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Page } from "./markdown.ts"

const maxPages = 500

export const isPdf = (bytes: Uint8Array): boolean => new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-"

/** Loads its reader when the first PDF comes. */
export const of = (bytes: Uint8Array): Effect.Effect<Page, ToolError.ToolError> =>
  Effect.gen(function* () {
    const { extractText, getDocumentProxy, getMeta } = yield* Effect.promise(() => import("unpdf"))
    const document = yield* Effect.acquireRelease(
      // The reader keeps the bytes it is given.
      attempt(() => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })),
      (opened) => Effect.ignore(Effect.promise(() => opened.loadingTask.destroy()))
    )
    if (document.numPages > maxPages) {
      return yield* unreadable(`it has ${document.numPages} pages, more than ${maxPages}`)
    }
    const { text } = yield* attempt(() => extractText(document, { mergePages: false }))
    const { info } = yield* attempt(() => getMeta(document))
    const title: unknown = info["Title"]
    return { title: typeof title === "string" ? title : "", text: text.map(page).join("\n\n") }
  }).pipe(Effect.scoped)

const page = (text: string, index: number): string => `[page ${index + 1}]\n${text.trim()}`

const attempt = <A>(read: () => Promise<A>) =>
  Effect.tryPromise({ try: read, catch: (error) => unreadable(error instanceof Error ? error.message : String(error)) })

const unreadable = (why: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: `the PDF cannot be read: ${why}` })
