/** Forms of requests that change or may change something: write, replace, create, delete, move, copy, run. */
import type { Captures } from "./Captures.ts"
import * as FileName from "./FileName.ts"
import { type Form, form, greedy, text, theFile, word } from "./Form.ts"
import type { Request } from "./Request.ts"

const write = (captures: Captures): Request | null => {
  const path = captures.path("path")
  return path === null ? null : { _tag: "Write", path, content: captures.text("content") ?? "" }
}

/** Returns true if the sentence mentions a file: "put milk in coffee" writes none. */
const isAboutFile = (captures: Captures, ...texts: ReadonlyArray<string>): boolean =>
  captures.has("file") ||
  captures.isQuoted("path") ||
  FileName.isLikely(captures.path("path") ?? "") ||
  texts.some((name) => captures.isQuoted(name))

const writeSomewhere = (captures: Captures): Request | null =>
  isAboutFile(captures, "content") ? write(captures) : null

const replace = (captures: Captures): Request | null => {
  const path = captures.path("path")
  const old = captures.text("old")
  return path === null || old === null || old === "" || !isAboutFile(captures, "old", "new")
    ? null
    : { _tag: "Replace", path, old, new: captures.text("new") ?? "" }
}

const requestForPath =
  (tag: "CreateDirectory" | "Delete") =>
  (captures: Captures): Request | null => {
    const path = captures.path("path")
    return path === null ? null : { _tag: tag, path }
  }

const requestForPaths =
  (tag: "Move" | "Copy") =>
  (captures: Captures): Request | null => {
    const from = captures.path("from")
    const to = captures.path("to")
    if (from === null || to === null) return null
    const inside = to.endsWith("/") || captures.has("into")
    return { _tag: tag, from, to: inside ? `${to.replace(/\/+$/, "")}/${baseName(from)}` : to }
  }

const baseName = (path: string): string => path.replace(/\/+$/, "").split("/").at(-1) ?? path

/** Returns the command as written; "the tests" is not a command. */
const run = (captures: Captures): Request | null => {
  const text = captures.text("command")
  if (text === null || text.trim() === "") return null
  if (captures.isQuoted("command")) return { _tag: "Run", command: text }
  if (/^(?:the|a|an|all|my|our|this|that|some)\s/i.test(text)) return null
  return {
    _tag: "Run",
    command: text.replace(/(?:,\s*|\s+)(?:please|for me)\s*[.!?]*$/i, "").replace(/(?<=\w)\.$/, "")
  }
}

const article = "(?:a |an |the )?(?:new )?(?:empty )?"
const naming = "(?:named |called |at )?"
const thing = "(?:the )?(?:file |directory |folder )?"
const kind = "(?:the )?(?:text |string |word |words |line |content |contents )?"
const withOrBy = "(?:with|by)"

/** The forms, with narrower forms first. */
export const forms: ReadonlyArray<Form> = [
  form(
    `(?:replace|substitute) (?:the )?(?:text |string |word )?${text("old")} ${withOrBy} ${text("new")} in ${theFile}${word("path")}`,
    replace
  ),
  form(
    `(?:change|rename) (?:the )?(?:text |string |word )?${text("old")} (?:to|into) ${text("new")} in ${theFile}${word("path")}`,
    replace
  ),
  greedy(
    `in ${theFile}${word("path")},? (?:replace|substitute|change) (?:the )?(?:text |string |word )?${text("old")} (?:with|by|to) ${text("new")}`,
    replace
  ),
  form(
    `(?:remove|delete) (?:the )?(?:text |string |word |line )?${text("old")} from ${theFile}${word("path")}`,
    replace
  ),

  form(
    `(?:create|make|add) ${article}(?:directory|folder|dir) ${naming}${word("path")}`,
    requestForPath("CreateDirectory")
  ),
  form(`mkdir (?:-p )?${word("path")}`, requestForPath("CreateDirectory")),

  greedy(
    `(?:create|write|make|add) ${article}file ${naming}${word("path")},? (?:with|containing|that (?:says|contains|has|reads)|saying) ${kind.replace("contents )", "contents |content: |text: )")}${text("content")}`,
    write
  ),
  greedy(`(?:create|make|write) ${word("path")} (?:with|containing|saying) ${kind}${text("content")}`, writeSomewhere),
  greedy(`write (?:to|into|in) ${theFile}${word("path")}:? ${text("content")}`, write),
  form(
    `(?:write|save|put|store) ${kind}${text("content")} (?:to|into|in) (?:a |the )?(?:new )?(?<file>file )?${naming}${word("path")}`,
    writeSomewhere
  ),
  form(`(?:create|make|add|touch) ${article}file ${naming}${word("path")}`, write),
  form(`touch ${word("path")}`, write),

  form(`(?:delete|remove|erase) ${thing}${word("path")}`, requestForPath("Delete")),
  form(`rm (?:-[rf]+ )?${word("path")}`, requestForPath("Delete")),
  form(
    `(?:move|rename) ${thing}${word("from")} (?:to|as|(?<into>into))(?: the)?(?: directory| folder)? ${word("to")}`,
    requestForPaths("Move")
  ),
  form(`mv ${word("from")} ${word("to")}`, requestForPaths("Move")),
  form(
    `(?:copy|duplicate) ${thing}${word("from")} (?:to|as|(?<into>into))(?: the)?(?: directory| folder)? ${word("to")}`,
    requestForPaths("Copy")
  ),
  form(`cp (?:-r )?${word("from")} ${word("to")}`, requestForPaths("Copy")),

  greedy(`(?:run|execute) (?:(?:the )?(?:shell )?command:? )?${text("command")}`, run),
  greedy(`[$!] ${text("command")}`, run)
]
