/** Reads `FIELD=VALUE…` of a rule or a call; a value is JSON or a bare word. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { type Field, isFieldName } from "./Rule.ts"

/** Splits off the first word. */
export const word = (text: string): readonly [string, string] => {
  const trimmed = text.trimStart()
  const end = trimmed.search(/\s/u)
  return end === -1 ? [trimmed, ""] : [trimmed.slice(0, end), trimmed.slice(end)]
}

/** Returns the fields in their order, without repeated names; fails with the fault as the rest of a sentence. */
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

/** Reads JSON, or else a bare word; `undefined` if the text is neither. */
const parseValue = (text: string): Schema.Json | undefined => {
  if (text === "") return undefined
  const parsed = Result.try(() => JSON.parse(text) as Schema.Json)
  if (Result.isSuccess(parsed)) return parsed.success
  return /^[[{"]/u.test(text) ? undefined : text
}

/** Returns the end of the value that begins at `start`: white space outside strings and brackets. */
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
