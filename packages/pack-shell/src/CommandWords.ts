/**
 * Splits a command line into its simple commands, word by word; null if a shell might interpret the line differently.
 * It accepts only parts that mean the same to every shell, regardless of variables and files: words, quotes without
 * expansion, pipes, lists, and redirections to /dev/null or to another stream. adr/0068-escalation.md.
 */
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import type { Node, Parser } from "web-tree-sitter"

type Words = ReadonlyArray<string>

const maxLength = 10_000

/** Matches text that shells and the grammar interpret alike: no control characters, no unusual spaces. */
const plain = (): RegExp => /^[\u0020-\u007e\n\p{L}\p{N}\p{M}]*$/u
/** Matches a word that no shell changes. */
const bare = (): RegExp => /^[\w@%+:,./=\p{L}\p{N}\p{M}-]+$/u
const unexpanded = /^[^$`\\!"]*$/u

let loading: Promise<Parser> | null = null

const load = (): Promise<Parser> =>
  import("web-tree-sitter").then(({ Language, Parser }) =>
    Parser.init()
      .then(() => Language.load(fileURLToPath(import.meta.resolve("tree-sitter-bash/tree-sitter-bash.wasm"))))
      .then((language) => new Parser().setLanguage(language))
  )

/** The parser, loaded when a rule or an approval first needs a command line. */
const parser: Effect.Effect<Parser, unknown> = Effect.tryPromise(() => (loading ??= load()))

/** Splits a command line. Also returns null if the parser is not installed. */
export const read = (line: string): Effect.Effect<Tool.Commands> =>
  line.length > maxLength || !plain().test(line)
    ? Effect.succeed(null)
    : parser.pipe(
        Effect.map((loaded) => {
          const tree = loaded.parse(line)
          if (tree === null) return null
          const commands = tree.rootNode.hasError ? null : commandsOf(tree.rootNode)
          tree.delete()
          return commands === null || commands.length === 0 ? null : commands
        }),
        Effect.catchCause(() => Effect.succeed(null))
      )

/** The node kinds that only join commands. */
const joining: ReadonlySet<string> = new Set(["&&", "||", ";", "|", "\n", "comment"])

const commandsOf = (node: Node): ReadonlyArray<Words> | null => {
  switch (node.type) {
    case "program":
    case "list":
    case "pipeline":
      return isSpaced(node) ? all(node.children.filter(({ type }) => !joining.has(type)).map(commandsOf)) : null
    case "redirected_statement": {
      const [body, ...redirects] = node.children
      const isQuiet = isSpaced(node) && redirects.length > 0 && redirects.every(leadsNowhere)
      return isQuiet && body?.type !== "file_redirect" ? commandsOf(body) : null
    }
    case "command": {
      const words = isSpaced(node) ? node.children.map(wordOf) : [null]
      return words.includes(null) ? null : [words as Words]
    }
    default:
      return null
  }
}

const all = (parts: ReadonlyArray<ReadonlyArray<Words> | null>): ReadonlyArray<Words> | null =>
  parts.includes(null) ? null : parts.flatMap((part) => part ?? [])

/** True if there are only spaces and line feeds between the parts: a shell may interpret text that the grammar skips. */
const isSpaced = ({ children, endIndex, startIndex, text }: Node): boolean => {
  let at = startIndex
  for (const child of children) {
    if (!/^[ \n]*$/u.test(text.slice(at - startIndex, child.startIndex - startIndex))) return false
    at = child.endIndex
  }
  return /^[ \n]*$/u.test(text.slice(at - startIndex, endIndex - startIndex))
}

/** True for output that is discarded, or that joins the other stream. */
const leadsNowhere = ({ text, type }: Node): boolean =>
  type === "file_redirect" && /^(?:[12]?>>? ?\/dev\/null|&> ?\/dev\/null|[12]?>&[12]|<? ?\/dev\/null)$/u.test(text)

const wordOf = (node: Node): string | null => {
  switch (node.type) {
    case "command_name":
      return node.children.length === 1 ? nameOf(node.children[0]) : null
    case "word":
    case "number":
      return bare().test(node.text) ? node.text : null
    case "raw_string":
      return /^'[^']*'$/u.test(node.text) ? node.text.slice(1, -1) : null
    case "string":
      return /^"[^"]*"$/u.test(node.text) && unexpanded.test(node.text.slice(1, -1)) ? node.text.slice(1, -1) : null
    case "concatenation": {
      const parts = node.children.map(wordOf)
      const isWhole = node.children.every(
        ({ startIndex }, at) => at === 0 || startIndex === node.children[at - 1].endIndex
      )
      return isWhole && !parts.includes(null) ? parts.join("") : null
    }
    default:
      return null
  }
}

/** Returns the name of a command; null for a word with "=", which some shells read as an assignment even if quoted. */
const nameOf = (node: Node): string | null => {
  const word = wordOf(node)
  return word === null || word === "" || word.includes("=") ? null : word
}
