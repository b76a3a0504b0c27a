/** Paths as terminals write them when files are dropped: bare, quoted, with backslashes, or as `file://` addresses. Pure. */
import * as Result from "effect/Result"
import * as Draft from "./Draft.ts"
import * as Image from "./Image.ts"

/** A path, and the range of the text that contains it. */
export interface DroppedPath {
  readonly path: string
  readonly start: number
  readonly end: number
}

const maxLength = 16_384
const maxPaths = 20

/** Matches a word: quoted parts, escaped characters and others up to a blank. */
const word = /(?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|[^\s'"\\])+/gu
const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/gu

/** Returns the images in a text that consists only of paths of images; else none. */
export const images = (text: string): ReadonlyArray<DroppedPath> => {
  if (text.length > maxLength) return []
  const trimmed = text.trim()
  // A path with unescaped blanks, the form in which some terminals drop a single file.
  if (isPath(trimmed) && !trimmed.includes("\n") && !/[\\'"]/u.test(trimmed)) {
    const wholePath = pathOf(trimmed)
    const inside = [...trimmed.matchAll(/\.(?:png|jpe?g|gif|webp)(?=\s)/giu)]
    if (wholePath !== null && inside.length === 0) {
      const start = text.indexOf(trimmed)
      return [{ path: wholePath, start, end: start + trimmed.length }]
    }
  }
  const found: Array<DroppedPath> = []
  let read = 0
  for (const match of text.matchAll(word)) {
    const path = pathOf(unquote(match[0]))
    if (path === null || text.slice(read, match.index).trim() !== "") return []
    read = match.index + match[0].length
    found.push({ path, start: match.index, end: read })
  }
  return text.slice(read).trim() === "" && found.length <= maxPaths ? found : []
}

/** Returns the text with a mark on each path. */
export const markPaths = (text: string, request: number): Draft.MarkedText => ({
  text,
  marks: images(text).map((dropped) => ({ _tag: "Candidate", request, ...dropped }))
})

const isPath = (text: string): boolean => /^(?:\/|~\/|\.{1,2}\/|file:\/\/)/iu.test(text)

const unquote = (written: string): string =>
  Array.from(written.matchAll(part), ([, single, double, escaped, bare]) =>
    [single, double?.replace(/\\(["\\$`])/gu, "$1"), escaped, bare].find((text) => text !== undefined)
  ).join("")

/** Returns the path; null: it cannot be the path of an image. */
const pathOf = (text: string): string | null => {
  const path = /^file:\/\//iu.test(text) ? pathOfAddress(text) : text
  return path !== null && Image.isNamed(path) && !/[\p{Cc}]/u.test(path) ? path : null
}

/** Returns the path of a `file://` address on this machine. */
const pathOfAddress = (address: string): string | null => {
  const found = /^file:\/\/(?:localhost)?(\/[^?#]*)/iu.exec(address)
  return found === null ? null : Result.getOrNull(Result.try(() => decodeURIComponent(found[1] ?? "")))
}
