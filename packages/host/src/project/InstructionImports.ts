/** Finds the Markdown and text files that instructions import by `@path`. Pure. */

/** A fenced block: the text in it is an example, not an import. */
const fence = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*?^ {0,3}\1|[\s\S]*)/gmu

/** A code span of one or two backticks; longer runs are rare, and a pattern for any length takes quadratic time. */
const span = /(?<!`)(?:`(?!`)[^`\n]*`|``(?!`)(?:[^`\n]|`(?!`))*``)(?!`)/gu

/** A path after `@`, at the start of a word. Only text is imported, so that a mentioned source file stays a mention. */
const reference = /(?<![^\s("'])@((?:[^\s@()"']|\\ )+\.(?:md|mdc|mdx|txt))(?![\w/-])/gu

/** Lists the imported paths as written, each once; relative ones start at the directory of the importing file. */
export const importsIn = (text: string): ReadonlyArray<string> => {
  const paths = text
    .replaceAll(fence, " ")
    .replaceAll(span, " ")
    .matchAll(reference)
    .map(([, path = ""]) => path.replaceAll("\\ ", " "))
  return [...new Set(paths)]
}
