/** Parses one plain request in English by the first matching sentence form. */
import * as Captures from "./Captures.ts"
import * as ChangingForms from "./ChangingForms.ts"
import * as FileName from "./FileName.ts"
import { type Form, form, theFile, word } from "./Form.ts"
import * as ReadingForms from "./ReadingForms.ts"
import type { Request } from "./Request.ts"

/** The maximum length of a sentence without its quotes. */
const maxLength = 4000

const help = form(
  "(?:help|hi|hello|hey|hello there|who are you|what are you|what can (?:you|i) (?:do|ask)|what do you do)",
  () => ({
    _tag: "Help"
  })
)

const forms: ReadonlyArray<Form> = [help, ...ChangingForms.forms, ...ReadingForms.forms]

/** Returns the request of a masked clause; null: no form matches. */
export const parse = (clause: string, context: Captures.Context): Request | null => {
  if (clause.length > maxLength) return null
  const fullClause = clause.replace(politeness, "").trimEnd()
  const bare = fullClause.replace(courtesy, "")
  for (const { build, greedy, opening, pattern } of forms) {
    const sentence = greedy ? fullClause : bare
    const match = opening.test(sentence) ? pattern.exec(sentence) : null
    const request = match === null ? null : build(Captures.capturesOf(match.groups ?? {}, context))
    if (request !== null) return request
  }
  return null
}

/** Repeats the previous request for a further name, as in "read a.txt and b.txt". */
export const repeatPrevious = (clause: string, before: Request | null, context: Captures.Context): Request | null => {
  if (before === null || !("path" in before) || !repeatable.has(before._tag)) return null
  const match = alone.exec(clause.trim().replace(courtesy, ""))
  if (match === null) return null
  const captures = Captures.capturesOf(match.groups ?? {}, context)
  const path = captures.path("path")
  return path !== null && (captures.isQuoted("path") || FileName.isLikely(path)) ? { ...before, path } : null
}

const repeatable: ReadonlySet<Request["_tag"]> = new Set(["Read", "CountLines", "List", "CreateDirectory", "Delete"])
const alone = form(`(?:and )?${theFile}${word("path")}`, () => null).pattern

/** Returns the file or directory that a later "it" means; null: there is none. */
export const subject = (request: Request): string | null => {
  if ("to" in request) return request.to
  return "path" in request && request._tag !== "Find" && request._tag !== "Search" ? request.path : null
}

const politeness =
  /^(?:\s|(?:please|now|first|next|finally|also|ok|okay|just)\b,?|(?:can|could|would|will) you\b|i(?:['’]d| would) like (?:you )?to\b|i want (?:you )?to\b|let['’]s\b|go ahead and\b)*/i

/** Matches polite words and the full stop at the end. A full stop after a space or a dot is a path. */
const courtesy = /(?:[\s,]+(?:please|for me|thanks|thank you))?(?:(?<=[^\s./])[.!?]+)?$/i
