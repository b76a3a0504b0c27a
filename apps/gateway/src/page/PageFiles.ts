/** The files of the built page, read once and compressed once, with the headers that they are served with. */
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { pageHeaders } from "../auth/PageHeaders.ts"

export interface PageFile {
  readonly body: Uint8Array
  /** The body in gzip; null: it would not be smaller. */
  readonly gzip: Uint8Array | null
  readonly headers: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml"
}

export interface FileHeaders {
  /** The file name extension. */
  readonly type: string
  /** True: browsers revalidate it each time. False: its name changes with its content. */
  readonly revalidate: boolean
}

export const servedFile = (body: Uint8Array, { revalidate, type }: FileHeaders): PageFile => {
  const gzip = gzipSync(body, { level: 9 })
  return {
    body,
    gzip: gzip.length < body.length ? gzip : null,
    headers: {
      "content-type": types[type] ?? "application/octet-stream",
      "cache-control": revalidate ? "no-cache" : "public, max-age=31536000, immutable",
      ...pageHeaders,
      "x-dns-prefetch-control": "off",
      vary: "accept-encoding"
    }
  }
}

const fileOf = (path: string): PageFile =>
  servedFile(readFileSync(path), { type: extname(path), revalidate: path.endsWith(".html") })

/** Reads a built page by the request paths of its files; empty: it was not built. */
export const load = (folder: string): ReadonlyMap<string, PageFile> => {
  const names = namesIn(folder)
  if (!names.includes("index.html")) return new Map()
  const document = fileOf(join(folder, "index.html"))
  const assets = namesIn(join(folder, "assets")).map(
    (name) => [`/assets/${name}`, fileOf(join(folder, "assets", name))] as const
  )
  return new Map([["/", document], ["/sign-in", document], ...assets])
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
