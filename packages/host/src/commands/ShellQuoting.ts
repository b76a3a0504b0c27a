/**
 * Tracks the quoting context at each position of a shell command, so that text can be inserted as plain text. Pure.
 * It follows quotation marks, backslashes and `$(…)`, which only the command's author writes: arguments never contain
 * syntax.
 */

/** The nested contexts, outermost first. */
type Context = "plain" | "single" | "double" | "substitution"

/** Syntax in which quotation marks have another meaning than elsewhere. */
const intricate = /\$['"{]|\$\(\(|\bcase\b|#|<<|\[\[/u

type TextFor = (name: string) => ReadonlyArray<string>

/** Replaces each mark by a text quoted for its context. `mark` is global and matches no shell syntax. */
export const fillMarks = (command: string, mark: RegExp, textFor: TextFor): string => {
  if (!intricate.test(command)) return fill(command, mark, (name, context) => quoteWords(textFor(name), context))
  // In such a command, values are not inserted but passed as variables, whose values a shell never parses as syntax.
  const values: Array<string> = []
  const body = fill(command, mark, (name, context) =>
    references(
      textFor(name).map((word) => `bough_${values.push(word)}`),
      context
    )
  )
  return values.map((word, at) => `bough_${at + 1}=${quoteWords([word], "plain")}; `).join("") + body
}

const references = (names: ReadonlyArray<string>, context: Context): string => {
  const all = names.map((name) => `\${${name}}`)
  switch (context) {
    case "single":
      return `'"${all.join(" ")}"'`
    case "double":
      return all.join(" ")
    default:
      return all.map((one) => `"${one}"`).join(" ")
  }
}

const fill = (command: string, mark: RegExp, textOf: (name: string, context: Context) => string): string => {
  const contexts: Array<Context> = ["plain"]
  let text = ""
  let from = 0
  for (const found of command.matchAll(mark)) {
    const before = command.slice(from, found.index)
    const isEscaped = follow(contexts, before)
    from = found.index + found[0].length
    text += isEscaped ? before + found[0] : before + textOf(found[1], contexts.at(-1) ?? "plain")
  }
  return text + command.slice(from)
}

/** Advances the contexts to the end of the text; true: it ends with a backslash that quotes the next character. */
const follow = (contexts: Array<Context>, text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const context = contexts.at(-1)
    const char = text[at]
    if (context === "single") {
      if (char === "'") contexts.pop()
    } else if (char === "\\") {
      if (++at === text.length) return true
    } else if (char === "$" && text[at + 1] === "(") {
      contexts.push("substitution")
      at++
    } else if (char === '"') {
      if (context === "double") contexts.pop()
      else contexts.push("double")
    } else if (context !== "double") {
      if (char === "'") contexts.push("single")
      else if (char === "(") contexts.push("substitution")
      else if (char === ")" && context === "substitution") contexts.pop()
    }
  }
  return false
}

const quoteWords = (words: ReadonlyArray<string>, context: Context): string => {
  switch (context) {
    case "single":
      return words.join(" ").replaceAll("'", String.raw`'\''`)
    case "double":
      return words.join(" ").replaceAll(/[\\"$`]/gu, String.raw`\$&`)
    default:
      return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")
  }
}
