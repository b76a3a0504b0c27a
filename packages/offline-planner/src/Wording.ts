/** Formulates the answer: the tool's result for a request, or the reason why the request failed. */
import type { Result } from "./Conversation.ts"
import type { Output } from "./Output.ts"
import type { Request } from "./Request.ts"
import * as ResultText from "./ResultText.ts"

export interface Outcome {
  readonly text: string
  /** True if the following requests should not be carried out. */
  readonly failed: boolean
}

/** Formulates the outcome. `titled`: the answer is one of several, so it must name its request. */
export const outcomeText = (request: Request, result: Result, titled: boolean): Outcome => {
  if (result.state === "failed")
    return { text: `I could not ${actionText(request)}: ${reason(result.text)}`, failed: true }
  const output = ResultText.read(request, result.text)
  const text = describe(request, output)
  return {
    text: titled && isListing(request) ? `${title(request)}:\n${text}` : text,
    failed: request._tag === "Run" && output["exitCode"] !== 0
  }
}

export const waitingText = (request: Request): string =>
  `To ${actionText(request)} needs a person's approval. I go on when it is decided.`

export const noTool = (request: Request, tool: string): string =>
  `I could not ${actionText(request)}: this session has no tool ${tool}.`

export const notDone = (remaining: ReadonlyArray<Request>): string =>
  `So I did not ${remaining.map(actionText).join(", nor ")}.`

const describe = (request: Request, output: Output): string => {
  switch (request._tag) {
    case "Read":
      return contents(request.path, output)
    case "List":
      return list(output, `${inWords(request.path)} is empty.`)
    case "Find":
      return request.counting
        ? formatCount(itemsOf(output).length, output, "file")
        : list(output, `No file matches ${request.glob}.`)
    case "Search":
      return request.counting
        ? formatCount(occurrences(hitsOf(output), request.text), output, "match")
        : list({ ...output, files: hitsOf(output) }, `No match for ${quote(request.text)}.`)
    case "CountLines":
      return lineCount(request.path, output)
    case "Run":
      return runText(output)
    case "Write":
      return `Wrote ${request.path}.`
    case "Replace":
      return `Replaced ${quote(request.old)} with ${quote(request.new)} in ${request.path}.`
    case "CreateDirectory":
      return output["created"] === false ? `${request.path} was there already.` : `Created ${request.path}.`
    case "Delete":
      return `Deleted ${request.path}.`
    case "Move":
      return `Moved ${request.from} to ${request.to}.`
    case "Copy":
      return `Copied ${request.from} to ${request.to}.`
    case "Time":
      return time(output)
    case "Help":
      return ""
  }
}

const contents = (path: string, output: Output): string => {
  const { fromLine, lines, mediaType, text, totalLines } = output
  if (typeof text !== "string")
    return typeof mediaType === "string" ? `${path} is an image (${mediaType}).` : show(output)
  if (text === "") return `${path} is empty.`
  const last = Number(fromLine ?? 1) + Number(lines ?? 0) - 1
  const more =
    typeof totalLines === "number" ? last < totalLines : Number(output["endByte"]) < Number(output["totalBytes"])
  const totalText = typeof totalLines === "number" ? ` of ${totalLines}` : ""
  const note = more || Number(fromLine) > 1 ? `\n(lines ${Number(fromLine)}–${last}${totalText} of ${path})` : ""
  return `${text.replace(/\n$/, "")}${note}`
}

const lineCount = (path: string, { totalLines }: Output): string => {
  if (typeof totalLines !== "number") return `I cannot count the lines of ${path}: it is not text, or too large.`
  return `${path} has ${totalLines} ${totalLines === 1 ? "line" : "lines"}.`
}

const list = (output: Output, none: string): string => {
  const items = itemsOf(output)
  if (items.length === 0) return none
  return [...items.map(line), ...(output["truncated"] === true ? ["… and more"] : [])].join("\n")
}

const formatCount = (count: number, output: Output, noun: "file" | "match"): string => {
  const atLeast = output["truncated"] === true ? "at least " : ""
  return `${atLeast}${count} ${count === 1 ? noun : noun === "file" ? "files" : "matches"}`
}

const itemsOf = (output: Output): ReadonlyArray<Output> =>
  Object.values(output).find((member): member is ReadonlyArray<Output> => Array.isArray(member)) ?? []

/** Returns every matching line and its file. */
const hitsOf = (output: Output): ReadonlyArray<Output> =>
  itemsOf(output).flatMap((file) => itemsOf(file).map((hit) => ({ ...hit, path: file["path"] })))

/** Counts the matches, because a line may contain several. */
const occurrences = (hits: ReadonlyArray<Output>, text: string): number =>
  hits.reduce((sum, hit) => sum + Math.max(1, String(hit["text"]).split(text).length - 1), 0)

/** Formats a path, or a match with its position. */
const line = (item: Output | string): string => {
  if (typeof item === "string") return item
  const { line, path, text } = item
  return typeof line === "number" ? `${String(path)}:${line}: ${trimEnd(text)}` : String(path)
}

const runText = ({ exitCode, signal, stderr, stdout, truncated }: Output): string => {
  const end =
    typeof signal === "string"
      ? `It was ended by ${signal}.`
      : exitCode === 0
        ? ""
        : `It ended with exit code ${String(exitCode)}.`
  const output = [stdout, stderr].filter((text) => typeof text === "string" && text.trim() !== "").map(trimEnd)
  const sections = [
    ...output.map(fenceText),
    ...(truncated === true ? ["… and more"] : []),
    ...(end === "" ? [] : [end])
  ]
  return sections.length === 0 ? "It ended without output." : sections.join("\n")
}

/**
 * Encloses text of several lines in a fence, so that nothing in it is read as Markdown: a `---` below a line would make
 * a heading of that line.
 */
const fenceText = (text: string): string => {
  if (!text.includes("\n")) return text
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const time = ({ local, timeZone }: Output): string => `It is ${String(local)} (${String(timeZone)}).`

const trimEnd = (text: unknown): string => String(text).replace(/\n+$/, "")
const show = (value: unknown): string => JSON.stringify(value)
const quote = (text: string): string => JSON.stringify(text)
const inWords = (path: string): string => (path === "." ? "The workspace" : path)

/** Returns the words after "I could not". */
const actionText = (request: Request): string => {
  switch (request._tag) {
    case "Read":
      return `read ${request.path}`
    case "List":
      return `list ${request.path === "." ? "the workspace" : request.path}`
    case "Find":
      return `${request.counting ? "count" : "find"} ${request.glob}`
    case "Search":
      return `${request.counting ? "count" : "search for"} ${quote(request.text)}`
    case "CountLines":
      return `count the lines of ${request.path}`
    case "Run":
      return `run \`${request.command}\``
    case "Write":
      return `write ${request.path}`
    case "Replace":
      return `replace ${quote(request.old)} in ${request.path}`
    case "CreateDirectory":
      return `create ${request.path}`
    case "Delete":
      return `delete ${request.path}`
    case "Move":
      return `move ${request.from} to ${request.to}`
    case "Copy":
      return `copy ${request.from} to ${request.to}`
    case "Time":
      return "tell the time"
    case "Help":
      return "help"
  }
}

const isListing = (request: Request): boolean => ["Read", "List", "Find", "Search", "Run"].includes(request._tag)

const title = (request: Request): string => {
  const text = actionText(request)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the first line of an error. */
const reason = (text: string): string => {
  const [first = ""] = text.split("\n")
  return first.replace(/^Error: ?/u, "")
}
