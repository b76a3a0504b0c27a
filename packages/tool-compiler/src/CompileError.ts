/** A fault in a source of tools, with its place and the fix. */

export interface CompileError {
  readonly file: string
  /** The line, counted from 1, like `column`. */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
  /** The text of the line. */
  readonly source: string
}

/** The place of a fault in a source: offsets of its text. */
export interface SourceLocation {
  readonly file: string
  readonly text: string
  readonly offset: number
}

export const make = ({ file, offset, text }: SourceLocation, message: string, fix: string): CompileError => {
  const start = text.lastIndexOf("\n", offset - 1) + 1
  const end = text.indexOf("\n", start)
  return {
    file,
    line: text.slice(0, start).split("\n").length,
    column: offset - start + 1,
    message,
    fix,
    source: text.slice(start, end === -1 ? undefined : end).trimEnd()
  }
}

/** Formats the fault with a code frame. */
export const format = ({ column, file, fix, line, message, source }: CompileError): string => {
  const margin = String(line).length
  return [
    `${file}:${line}:${column}: ${message}`,
    `${" ".repeat(margin)} |`,
    `${line} | ${source}`,
    `${" ".repeat(margin)} | ${source.slice(0, column - 1).replaceAll(/[^\t]/gu, " ")}^ ${fix}`
  ].join("\n")
}
