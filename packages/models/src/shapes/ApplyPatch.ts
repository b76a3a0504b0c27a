/** The patches of GPT's `apply_patch` as calls that change one file each, and back. */
import type { Call } from "./ToolShape.ts"

const [begin, end] = ["*** Begin Patch", "*** End Patch"]
const heading = /^\*\*\* (Add|Update|Delete) File: (.+)$/u
const moveLine = /^\*\*\* Move to: (.+)$/u

interface Section {
  readonly kind: string
  readonly path: string
  readonly lines: Array<string>
}

/**
 * Returns one call per file, or two for a file that is changed and moved; a text is the reason why the patch is
 * invalid.
 */
export const parse = (patch: string): ReadonlyArray<Call> | string => {
  const lines = patch.replaceAll("\r\n", "\n").trim().split("\n")
  if (lines[0]?.trim() !== begin) return `the patch does not begin with ${begin}`
  if (lines.at(-1)?.trim() !== end) return `the patch does not end with ${end}`
  const sections: Array<Section> = []
  for (const line of lines.slice(1, -1)) {
    const [, kind, path] = heading.exec(line) ?? []
    if (kind !== undefined) sections.push({ kind, path: path.trim(), lines: [] })
    else if (sections.length === 0) return `expected *** Add, Update or Delete File: before ${JSON.stringify(line)}`
    else sections.at(-1)?.lines.push(line)
  }
  const calls: Array<Call> = []
  for (const section of sections) {
    const sectionCalls = callsOf(section)
    if (typeof sectionCalls === "string") return sectionCalls
    calls.push(...sectionCalls)
  }
  return calls.length === 0 ? "the patch changes no file" : calls
}

const callsOf = ({ kind, lines, path }: Section): ReadonlyArray<Call> | string => {
  if (kind === "Delete") return [{ name: "delete_path", arguments: { path } }]
  if (kind === "Add") {
    if (lines.some((line) => !line.startsWith("+"))) return `each line of the new file ${path} begins with +`
    return [{ name: "write_file", arguments: { path, content: lines.map((line) => `${line.slice(1)}\n`).join("") } }]
  }
  const [, to] = moveLine.exec(lines[0] ?? "") ?? []
  const edits = editsOf(to === undefined ? lines : lines.slice(1))
  if (typeof edits === "string") return `${path}: ${edits}`
  const move = to === undefined ? [] : [{ name: "move_path", arguments: { from: path, to: to.trim() } }]
  if (edits.length === 0 && move.length === 0) return `${path}: the update has no changes`
  return [...(edits.length === 0 ? [] : [{ name: "edit_file", arguments: { path, edits } }]), ...move]
}

interface Edit {
  readonly old: string
  readonly new: string
}

const editsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Edit> | string => {
  const hunks: Array<{ readonly old: Array<string>; readonly new: Array<string> }> = []
  for (const line of lines) {
    if (line === "*** End of File") continue
    if (line.startsWith("@@")) {
      hunks.push({ old: [], new: [] })
      continue
    }
    if (hunks.length === 0) hunks.push({ old: [], new: [] })
    const hunk = hunks[hunks.length - 1]
    const [mark, rest] = [line.slice(0, 1), line.slice(1)]
    if (mark === "-" || mark === " " || line === "") hunk.old.push(rest)
    if (mark === "+" || mark === " " || line === "") hunk.new.push(rest)
    if (!["-", "+", " ", ""].includes(mark))
      return `a line begins with none of +, - and a blank: ${JSON.stringify(line)}`
  }
  const edits = hunks.filter((hunk) => hunk.old.join("\n") !== hunk.new.join("\n"))
  if (edits.some((hunk) => hunk.old.length === 0)) return "a change that only adds needs a line around it"
  return edits.map((hunk) => ({ old: joinLines(hunk.old), new: joinLines(hunk.new) }))
}

/** Joins complete lines, so that removed lines leave no empty ones. */
const joinLines = (lines: ReadonlyArray<string>): string => lines.map((line) => `${line}\n`).join("")

/** Prints the patch from which these calls came, or an equivalent one; null: a call is not a change of a file. */
export const print = (calls: ReadonlyArray<Call>): string | null => {
  const sections: Array<string> = []
  for (const call of calls) {
    const section = sectionOf(call)
    if (section === null) return null
    sections.push(section)
  }
  return [begin, ...sections, end].join("\n")
}

const prefixLines = (mark: string, text: string): ReadonlyArray<string> =>
  text === ""
    ? []
    : text
        .replace(/\n$/u, "")
        .split("\n")
        .map((line) => `${mark}${line}`)

const sectionOf = ({ arguments: callArguments, name }: Call): string | null => {
  const { content, edits, from, path, to } = callArguments
  if (name === "delete_path") return `*** Delete File: ${String(path)}`
  if (name === "move_path") return `*** Update File: ${String(from)}\n*** Move to: ${String(to)}`
  if (name === "write_file" && typeof content === "string") {
    return [`*** Add File: ${String(path)}`, ...prefixLines("+", content)].join("\n")
  }
  if (name !== "edit_file" || !Array.isArray(edits)) return null
  const hunks = (edits as ReadonlyArray<Partial<Edit>>).flatMap((edit) => [
    "@@",
    ...prefixLines("-", edit.old ?? ""),
    ...prefixLines("+", edit.new ?? "")
  ])
  return [`*** Update File: ${String(path)}`, ...hunks].join("\n")
}
