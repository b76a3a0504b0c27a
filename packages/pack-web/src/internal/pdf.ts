/** The text of a PDF, page after page. */
import { extractText, getDocumentProxy, getMeta } from "unpdf"
import type { Page } from "./markdown.ts"

const maxPages = 500

/** Rejects bytes that are not a PDF, and PDFs of more than 500 pages. The reader takes ownership of the bytes. */
export const read = (bytes: Uint8Array): Promise<Page> =>
  getDocumentProxy(bytes, { verbosity: 0 }).then((document) => {
    if (document.numPages > maxPages) throw new Error(`it has ${document.numPages} pages, more than ${maxPages}`)
    return Promise.all([extractText(document, { mergePages: false }), getMeta(document)])
      .then(([{ text }, { info }]) => {
        const title: unknown = info["Title"]
        return { title: typeof title === "string" ? title : "", text: text.map(page).join("\n\n") }
      })
      .finally(() => document.loadingTask.destroy())
  })

const page = (text: string, index: number): string => `[page ${index + 1}]\n${text.trim()}`
