/** Terminal hyperlinks (OSC 8). Only web addresses and workspace files become links; the caller escapes the shown text. */
import * as Result from "effect/Result"
import { relative, resolve, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type SafeText, unchecked } from "./SafeText.ts"

/** The maximum length of an address: terminals truncate or reject longer ones. */
const maxLength = 2_000
const web = new Set(["http:", "https:"])

/** Links `shown` to a web address; returns it unchanged if the target is not a web address. */
export const toWeb = (target: string, shown: SafeText): SafeText => {
  const url = URL.parse(target)
  return url === null || !web.has(url.protocol) || url.username !== "" || url.password !== ""
    ? shown
    : linkTo(url.href, shown)
}

/** Links `shown` to a workspace file; returns it unchanged if the path leads out of the workspace. */
export const toFile = (root: string, path: string, shown: SafeText): SafeText => {
  const file = resolve(root, path)
  const inside = relative(root, file)
  return inside === ".." || inside.startsWith(`..${sep}`) || resolve(inside) === inside
    ? shown
    : linkTo(pathToFileURL(file).href, shown)
}

/** Links of a conversation: web addresses, and files by their workspace path or by a `file:` address. */
export const forWorkspace =
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

/** Surrounds text with a link. The `href` of a `URL` has only printable ASCII characters. */
const linkTo = (href: string, shown: SafeText): SafeText =>
  shown === "" || href.length > maxLength || !/^[!-~]+$/u.test(href)
    ? shown
    : unchecked(`\u001B]8;;${href}\u001B\\${shown}\u001B]8;;\u001B\\`)
