/**
 * File names as bytes: a string with one character per byte, so that names that are not valid UTF-8 stay distinct and
 * can be found again.
 */
import { Buffer } from "node:buffer"

/** Matches ASCII, which is the same text in every encoding. */
const ascii = /^[\0-\x7f]*$/

/** Returns the path as the operating system expects it. */
export const toPath = (bytes: string): string | Buffer => (ascii.test(bytes) ? bytes : Buffer.from(bytes, "latin1"))

export const fromText = (text: string): string =>
  ascii.test(text) ? text : Buffer.from(text, "utf8").toString("latin1")

/** Returns the text for users; bytes that are not valid UTF-8 show as U+FFFD. */
export const toText = (bytes: string): string =>
  ascii.test(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8")

/** The order of names in a tree: by their bytes. */
export const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
