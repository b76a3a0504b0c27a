/**
 * The text of a user-defined command: `$ARGUMENTS` and `$1` to `$9` stand for the words after its name, !`command` for the
 * output of a command, `@path` for a file. Only the template's author writes these marks: arguments are never parsed as a
 * template, and are quoted inside commands. Pure.
 */
import { fillMarks } from "./ShellQuoting.ts"

export type Part =
  | { readonly _tag: "Text"; readonly text: string }
  /** `text` is a shell command. */
  | { readonly _tag: "Command"; readonly text: string }
  | { readonly _tag: "File"; readonly path: string }

/** A backslash before a mark makes it plain text. */
const mark = /\\([$!@])|\$(ARGUMENTS|[1-9])(?![\w])|!`([^`\n]+)`|(?<=^|\s)@([\w.~/][^\s`]*)/gmu
const placeholder = /\$(ARGUMENTS|[1-9])(?![\w])/gu

/** Fills a template with arguments. If no mark uses the arguments, they follow the text. */
export const fill = (template: string, argument: string): ReadonlyArray<Part> => {
  const values = { all: argument, words: wordsOf(argument) }
  const parts: Array<Part> = []
  let plain = ""
  let from = 0
  let isUsed = false
  const add = (part: Part): void => {
    if (plain !== "") parts.push({ _tag: "Text", text: plain })
    plain = ""
    parts.push(part)
  }
  for (const found of template.matchAll(mark)) {
    const [matched, escaped, name, command, path] = found
    plain += template.slice(from, found.index)
    from = found.index + matched.length
    if (escaped !== undefined) plain += escaped
    else if (name !== undefined) {
      isUsed = true
      plain += valueOf(name, values)
    } else if (command !== undefined) {
      isUsed ||= command.search(placeholder) !== -1
      add({ _tag: "Command", text: fillMarks(command, placeholder, (name) => wordsFor(name, values)) })
    } else if (path !== undefined) {
      const end = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/u.exec(path)?.[0] ?? ""
      add({ _tag: "File", path: path.slice(0, path.length - end.length) })
      plain = end
    }
  }
  plain += template.slice(from)
  if (!isUsed && argument !== "") plain += `\n\nArguments: ${argument}`
  if (plain !== "") parts.push({ _tag: "Text", text: plain })
  return parts
}

interface Values {
  readonly all: string
  readonly words: ReadonlyArray<string>
}

const valueOf = (name: string, { all, words }: Values): string =>
  name === "ARGUMENTS" ? all : (words[Number(name) - 1] ?? "")

const wordsFor = (name: string, { words }: Values): ReadonlyArray<string> =>
  name === "ARGUMENTS" ? words : [words[Number(name) - 1] ?? ""]

/** Splits at blanks; quotation marks group words. */
export const wordsOf = (argument: string): ReadonlyArray<string> =>
  Array.from(argument.matchAll(/"([^"]*)"|'([^']*)'|\S+/gu), ([whole, double, single]) => double ?? single ?? whole)

/** The user's message. It mentions commands and files by name only, since their contents precede it. */
export const messageOf = (parts: ReadonlyArray<Part>): string => parts.map(partText).join("").trim()

const partText = (part: Part): string => {
  switch (part._tag) {
    case "Text":
      return part.text
    case "Command":
      return `(the output of \`${part.text}\`, above)`
    case "File":
      return `@${part.path}`
  }
}
