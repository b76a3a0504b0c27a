/** Reads `FIELD=VALUE…`, of a rule or of a call, where a value is JSON or a bare word. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { type Field, isFieldName } from "./Rule.ts"

/** The first word and what follows it. */
export const word = (text: string): readonly [string, string] => {
  const trimmed = text.trimStart()
  const end = trimmed.search(/\s/u)
  return end === -1 ? [trimmed, ""] : [trimmed.slice(0, end), trimmed.slice(end)]
}

/** The fields in their order, no name twice; fails with what the text does wrong, as the rest of a sentence. */
export const parse = (text: string, isName = isFieldName): Result.Result<ReadonlyArray<Field>, string> => {
  const fields: Array<Field> = []
  let rest = text.trimStart()
  while (rest !== "") {
    const equals = rest.indexOf("=")
    const name = equals === -1 ? rest : rest.slice(0, equals)
    if (equals === -1 || !isName(name)) {
      return Result.fail(`has "${word(rest)[0]}" where FIELD=VALUE is expected`)
    }
    if (fields.some((field) => field.name === name)) return Result.fail(`names the field "${name}" twice`)
    const end = valueEnd(rest, equals + 1)
    const value = parseValue(rest.slice(equals + 1, end))
    if (value === undefined) return Result.fail(`gives "${name}" a value that is neither JSON nor one word`)
    fields.push({ name, value })
    rest = rest.slice(end).trimStart()
  }
  return Result.succeed(fields)
}

/** JSON where it reads as JSON, else the word itself; `undefined` where it is neither. */
const parseValue = (text: string): Schema.Json | undefined => {
  if (text === "") return undefined
  const parsed = Result.try(() => JSON.parse(text) as Schema.Json)
  if (Result.isSuccess(parsed)) return parsed.success
  return /^[[{"]/u.test(text) ? undefined : text
}

/** Where the value that starts at `start` ends: at white space outside strings and brackets. */
const valueEnd = (text: string, start: number): number => {
  const structured = /[[{"]/u.test(text.charAt(start))
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (inString) {
      if (character === "\\") at++
      else if (character === '"') inString = false
    } else if (structured && character === '"') inString = true
    else if (structured && (character === "[" || character === "{")) depth++
    else if (structured && (character === "]" || character === "}")) depth--
    else if (depth <= 0 && /\s/u.test(character)) return at
  }
  return text.length
}
