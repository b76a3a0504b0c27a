/**
 * Links that a terminal opens (OSC 8). Only addresses of the web, and files of the workspace, become links; the text that
 * is shown is the caller's to escape.
 */
import { fileURLToPath, pathToFileURL } from "node:url"
import { relative, resolve, sep } from "node:path"
import * as Result from "effect/Result"
import { type SafeText, unchecked } from "./SafeText.ts"

/** Terminals cut or refuse longer addresses. */
const longest = 2_000
const web = new Set(["http:", "https:"])

/** Makes `shown` a link to an address of the web; the text alone where it is none. */
export const toWeb = (target: string, shown: SafeText): SafeText => {
  const url = URL.parse(target)
  return url === null || !web.has(url.protocol) || url.username !== "" || url.password !== ""
    ? shown
    : around(url.href, shown)
}

/** Makes `shown` a link to a file of the workspace; the text alone where it leads out of it. */
export const toFile = (root: string, path: string, shown: SafeText): SafeText => {
  const file = resolve(root, path)
  const inside = relative(root, file)
  return inside === ".." || inside.startsWith(`..${sep}`) || resolve(inside) === inside
    ? shown
    : around(pathToFileURL(file).href, shown)
}

/** Links of a conversation: addresses of the web, and files by their path in the workspace or by a `file:` address. */
export const ofWorkspace =
  (root: string) =>
  (target: string, shown: SafeText): SafeText => {
    if (/^https?:/iu.test(target)) return toWeb(target, shown)
    const path = /^file:\/\//iu.test(target) ? pathOf(target) : target.replace(/[#?].*$/u, "")
    return path === null || path === "" || /^[a-z][a-z+.-]*:/iu.test(path) ? shown : toFile(root, path, shown)
  }

const pathOf = (address: string): string | null => {
  const url = URL.parse(address)
  if (url === null || url.host !== "") return null
  return Result.getOrNull(Result.try(() => fileURLToPath(url)))
}

/** An address of a `URL` has no character but printable ASCII. */
const around = (href: string, shown: SafeText): SafeText =>
  shown === "" || href.length > longest || !/^[!-~]+$/u.test(href)
    ? shown
    : unchecked(`\u001B]8;;${href}\u001B\\${shown}\u001B]8;;\u001B\\`)
