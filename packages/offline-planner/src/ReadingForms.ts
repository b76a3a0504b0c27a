/** Forms of requests that only read: read, list, find, search, count, the time. */
import type { Captures } from "./Captures.ts"
import * as FileName from "./FileName.ts"
import { type Form, form, text, theFile, within, word } from "./Form.ts"
import type { Request } from "./Request.ts"

const read = (captures: Captures): Request | null => {
  const path = captures.path("path")
  const fromLine =
    captures.number("from") ?? captures.number("start") ?? captures.number("only") ?? (captures.has("first") ? 1 : null)
  const toLine = captures.number("to") ?? captures.number("only") ?? captures.number("first")
  const backwards = fromLine !== null && (fromLine < 1 || (toLine !== null && toLine < fromLine))
  return path === null || backwards ? null : { _tag: "Read", path, fromLine, toLine }
}

/**
 * Builds a read request for "show" and similar words. They are ambiguous, so the text after them must look like a file.
 */
const readShown = (captures: Captures): Request | null => {
  const path = captures.path("path")
  return path !== null && (captures.isQuoted("path") || FileName.isLikely(path)) ? read(captures) : null
}

const list = (captures: Captures): Request => ({
  _tag: "List",
  path: captures.place("within"),
  recursive: captures.has("recursively") || captures.has("deep") || captures.has("all")
})

const find = (captures: Captures): Request | null => {
  const name = captures.path("name")
  const glob = name === null ? (captures.has("count") ? "*" : null) : FileName.globOf(name, captures.has("files"))
  return glob === null ? null : { _tag: "Find", glob, path: captures.place("within"), counting: captures.has("count") }
}

const search = (captures: Captures): Request | null => {
  const text = captures.text("text")
  return text === null || text === ""
    ? null
    : { _tag: "Search", text, path: captures.place("within"), counting: captures.has("count") }
}

/** Builds a search for the text to count; null: the word names a unit, as in "count words in a.txt". */
const countTerm = (captures: Captures): Request | null => {
  const isTerm = captures.isQuoted("text") || /[A-Z0-9_(){}<>=$@#]/.test(captures.text("text") ?? "")
  return isTerm && captures.has("within") ? search(captures) : null
}

const countLines = (captures: Captures): Request | null => {
  const path = captures.path("path")
  return path === null ? null : { _tag: "CountLines", path }
}

const count = "(?<count>count|how many)"
const counting = `${count}(?: (?:the|all|of|number|total))*`
const hits = "(?:matches|occurrences|mentions|uses|usages|instances|hits|references)"
const show = "(?:show|print|display|view|see|give|tell)(?: me)?"
const range = "(?:from )?lines? (?<from>\\d+)(?:\\s*(?:-|–|to|through|until|and)\\s*)(?:line )?(?<to>\\d+)"
const lines = `(?:${range}|(?:only )?line (?<only>\\d+)|(?:the )?first (?<first>\\d+) lines)`
const start = "(?:from|starting at|starting from) line (?<start>\\d+)(?: on(?:wards)?)?"
const tail = `(?:,? \\(?(?:${lines}|${start})\\)?)?`
const named = "(?:named|called|matching|like|that match|with the name)"
const recursively = "(?:,? (?<recursively>recursively))?"
const recursivelyToo = recursively.replace("<recursively>", "<deep>")
const entries = "(?:files|entries|contents?|everything|directory|folder|tree)(?: and (?:directories|folders))?"
const term = "(?:(?:the )?(?:text|string|word|words|phrase|term) )?"
const searching = "(?:search|grep|scan)"

/** The forms, with narrower forms first. */
export const forms: ReadonlyArray<Form> = [
  form(
    "(?:what(?: i|['’])s|tell me) the (?:current |local )?(?:date|time|day)(?: and (?:date|time))?(?: now| today)?",
    () => ({
      _tag: "Time"
    })
  ),
  form("what (?:time|day|date) is (?:it|today)(?: now| today)?", () => ({ _tag: "Time" })),
  form("(?:the )?(?:current )?(?:date|time)(?: and (?:date|time))?", () => ({ _tag: "Time" })),

  form(`${counting} lines(?: of (?:code|text))?(?: are(?: there)?)? (?:in|of) ${theFile}${word("path")}`, countLines),
  form(`how many lines (?:does|do|has) ${theFile}${word("path")}(?: have| contain)?`, countLines),
  form(`${counting} ${hits} (?:of|for|to) ${term}${text("text")}(?: are there)?${within}`, search),
  form(
    `${counting} times (?:does |do |is |are )?${term}${text("text")}(?: (?:occurs?|appears?|mentioned|used|found|shows? up))?${within}`,
    search
  ),
  form(`${counting} files?(?: are(?: there)?)?(?: ${named} ${word("name")})?(?: are(?: there)?)?${within}`, find),
  form(`${counting} ${word("name")} (?<files>files?)(?: are(?: there)?)?${within}`, find),
  form(`${counting} ${text("text")}(?: are there)?${within}`, countTerm),

  form(
    `(?:list|show|ls)(?: me)?(?: all)?(?: the)? (?<name>[^\\s\\uE000\\uE001]*[*?][^\\s\\uE000\\uE001]*)(?: files?)?${within}`,
    find
  ),
  form(
    `(?:list|ls|${show})(?: (?<all>all))?(?: of)?(?: the)? ${entries}${recursively}${within}${recursivelyToo}`,
    (captures) => (FileName.isFile(captures.path("within")) ? null : list(captures))
  ),
  form(`(?:what|which) files (?:are|exist)(?: there| here)?${within}`, list),
  form(`what(?: i|['’])s in (?:here|(?:the |this )?(?:directory|folder)(?: ${word("within")})?)`, list),
  form(
    `(?:list|ls)(?: -[a-z]+)?${recursively}(?: (?:the )?(?:(?:directory|folder) )?${word("within")})?${recursivelyToo}`,
    list
  ),

  form(
    `${searching} (?:in |through |inside )?(?:the (?:file|directory|folder) )?(?!for )${word("within")} for ${term}${text("text")}`,
    search
  ),
  form(`grep (?:-[a-z]+ )*${word("text")} ${word("within")}`, search),
  form(`(?:find|show|list)(?: me)?(?: all| the)* ${hits} (?:of|to|for) ${term}${text("text")}${within}`, search),
  form(`find (?:the )?(?:text|string|word|phrase|term) ${text("text")}${within}`, search),
  form(`where is ${term}${text("text")} (?:used|defined|mentioned|called|declared)${within}`, search),
  form(`(?:what|which) files (?:contain|mention|use|have|include) ${term}${text("text")}${within}`, search),
  form(`(?:search|grep|scan|look) for (?:files? (?:containing|with) )?${term}${text("text")}${within}`, search),
  form(`${searching} ${word("text")}${within}`, search),

  form(`(?:find|locate)(?: me)?(?: all| the| a| any| every)* files?(?: ${named})? ${word("name")}${within}`, find),
  form(`(?:find|locate)(?: me)?(?: all| the| a| any| every)* ${word("name")} (?<files>files?)${within}`, find),
  form(`(?:find|locate)(?: me)?(?: all| the| any| every)* ${word("name")}${within}`, find),
  form(`where is (?:the )?(?:file )?${word("name")}`, find),

  form(`(?:read|${show}) ${lines} (?:of|in|from) ${theFile}${word("path")}`, read),
  form(`(?:read|cat|type)(?: me)? ${theFile}${word("path")}${tail}`, read),
  form(`(?:open|${show}) ${theFile}${word("path")}${tail}`, readShown),
  form(`(?:what(?: i|['’])s|what is) (?:written )?(?:in|inside) ${theFile}${word("path")}`, readShown),
  form(`what does ${theFile}${word("path")} (?:say|contain|look like)`, readShown)
]
