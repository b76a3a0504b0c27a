/** Parses a tool's result from the text for the model: the format of Bough's tools, or JSON. */
import * as Output from "./Output.ts"
import type { Request } from "./Request.ts"

/** The marker that the runtime inserts where it truncates a text. */
const cut =
  /\n\[output truncated — original size: \d+ bytes\]\n(?:read_file with path "blob:[^"]*" pages through the whole\n)?/u

export const read = (request: Request, text: string): Output.Output => {
  if (/^\s*\{/u.test(text) && request._tag !== "Run") return Output.read(text)
  const truncated = cut.test(text) ? { truncated: true } : {}
  const shown = text.replace(cut, "\n")
  switch (request._tag) {
    case "Read":
    case "CountLines":
      return file(text)
    case "List":
    case "Find":
      return { items: parseList(shown), ...(isMore(shown) ? { truncated: true } : truncated) }
    case "Search":
      return { files: hits(shown), ...(isMore(shown) ? { truncated: true } : truncated) }
    case "Run":
      return runOutput(text)
    case "CreateDirectory":
      return { created: !text.endsWith("was there already") }
    case "Time":
      return time(text)
    default:
      return {}
  }
}

const more = "[there are more;"

const isMore = (text: string): boolean => text.split("\n").some((line) => line.startsWith(more))

/** Removes the lines in brackets, which the tool adds. */
const parseList = (text: string): ReadonlyArray<string> =>
  text.split("\n").filter((line) => line !== "" && !(line.startsWith("[") && line.endsWith("]")))

const hits = (text: string) =>
  parseList(text).flatMap((line) => {
    const [, path, number, found] = /^(.*?):(\d+):(.*)$/u.exec(line) ?? []
    return path === undefined ? [] : [{ path, hits: [{ line: Number(number), text: found }] }]
  })

const ending = /\n?\[(?:(?:lines? (\d+)(?:–(\d+))?(?: of (\d+))?)|the file is empty|nothing at|no line)[^\n]*\]$/u

const file = (text: string): Output.Output => {
  const image = /^\[(image\/\w+), \d+ bytes\]$/u.exec(text)
  if (image !== null) return { mediaType: image[1] }
  const end = ending.exec(text)
  const lines = (end === null ? text : text.slice(0, end.index))
    .split("\n")
    .flatMap((line) => (/^\d+\t/u.test(line) ? [line.slice(line.indexOf("\t") + 1)] : []))
  const [, from = "1", , total] = end ?? []
  const isOpen = end !== null && total === undefined && lines.length > 0
  return {
    fromLine: Number(from),
    lines: lines.length,
    text: lines.map((line) => `${line}\n`).join(""),
    ...(isOpen ? { endByte: 0, totalBytes: 1 } : { totalLines: total === undefined ? lines.length : Number(total) })
  }
}

/** Parses the result of a command. A program may print JSON too, so only JSON with an exit code is the tool's. */
const runOutput = (text: string): Output.Output => {
  const [ended, code, signal] = /\n?\[(?:exit (-?\d+)|ended by (\w+))[^\n]*\]$/u.exec(text) ?? []
  if (ended === undefined) return Output.read(text)
  return {
    exitCode: code === undefined ? null : Number(code),
    ...(signal === undefined ? {} : { signal }),
    stdout: text.slice(0, text.length - ended.length),
    stderr: "",
    ...(cut.test(text) ? { truncated: true } : {})
  }
}

const time = (text: string): Output.Output => {
  const [, local, timeZone] = /^(\S+) (\S+) \(/u.exec(text) ?? []
  return { local: local ?? text, timeZone: timeZone ?? "" }
}
