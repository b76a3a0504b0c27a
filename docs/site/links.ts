/** Maps the documents of the repository to pages of the site, and rewrites the links between them. */
import { existsSync, statSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The page of a document: `docs/undo.md` is `undo.md`, the README of a folder is the page of the folder. */
export const pageOf = (document: string): string =>
  document.replace(/^docs\//u, "").replace(/^(.+)\/README\.md$/u, "$1.md")

/** Returns the document that a path in the repository leads to; null: the path leads to code or data. */
const documentAt = (path: string): string | null => {
  const file = posix.join(root, path)
  if (!existsSync(file)) return null
  if (!statSync(file).isDirectory()) return path.endsWith(".md") && path !== "README.md" ? path : null
  const readme = posix.join(path, "README.md")
  return readme !== "README.md" && existsSync(posix.join(root, readme)) ? readme : null
}

/** The parts of markdown-it that are used here. */
interface Token {
  readonly type: string
  tag: string
  attrs: Array<[string, string]> | null
  readonly children: Array<Token> | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}
interface Parser {
  readonly core: {
    readonly ruler: {
      push(
        name: string,
        rule: (state: { tokens: Array<Token>; env: { path?: string; realPath?: string } }) => void
      ): void
    }
  }
}

const isRelative = (target: string): boolean => !/^(?:[a-z]+:|#|\/)/iu.test(target)

/** Links between documents lead to their pages; a link to a file that is not a page is replaced by its text. */
export const localLinks = (parser: Parser): void => {
  parser.core.ruler.push("local_links", ({ env, tokens }) => {
    const document = posix.relative(root, env.realPath ?? env.path ?? "")
    for (const { children } of tokens) {
      let isDropped = false
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const [path = "", fragment] = (token.attrGet("href") ?? "").split("#")
          if (path === "" || !isRelative(path)) continue
          const target = documentAt(posix.join(posix.dirname(document), decodeURI(path)))
          isDropped = target === null
          if (target === null) Object.assign(token, { tag: "span", attrs: null })
          else token.attrSet("href", `/${pageOf(target)}${fragment === undefined ? "" : `#${fragment}`}`)
        } else if (token.type === "link_close" && isDropped) {
          token.tag = "span"
          isDropped = false
        }
      }
    }
  })
}
