/**
 * The thread in which pages and PDFs are read. It runs as a worker of `internal/reading.ts`, and must not be imported.
 */
import * as Answering from "@bough/thread/Answering"
import * as Markdown from "../internal/markdown.ts"
import * as Pdf from "../internal/pdf.ts"
import * as Stripped from "../internal/stripped.ts"

export type Request =
  | { readonly _tag: "Page"; readonly html: string; readonly url: string; readonly form: Markdown.Form }
  | { readonly _tag: "Pdf"; readonly bytes: Uint8Array }
  | { readonly _tag: "Stripped"; readonly markup: string }

export type Reply =
  | { readonly _tag: "Read"; readonly page: Markdown.Page }
  | { readonly _tag: "Unreadable"; readonly reason: string }

const read = (request: Request): Markdown.Page | Promise<Markdown.Page> => {
  switch (request._tag) {
    case "Page":
      return Markdown.read(request.html, request.url, request.form)
    case "Pdf":
      return Pdf.read(request.bytes)
    case "Stripped":
      return { title: "", text: Stripped.strippedText(request.markup) }
  }
}

Answering.serve((request: Request) =>
  new Promise<Markdown.Page>((resolve) => resolve(read(request))).then(
    (page): Reply => ({ _tag: "Read", page }),
    (error: unknown): Reply => ({ _tag: "Unreadable", reason: error instanceof Error ? error.message : String(error) })
  )
)
