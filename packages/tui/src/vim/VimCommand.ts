/** Parses the vim commands of normal mode from the characters typed so far. Pure. */

export type Operator = "d" | "c" | "y"

export type Motion =
  | {
      readonly _tag: "Simple"
      readonly key: "h" | "l" | "j" | "k" | "w" | "W" | "b" | "B" | "e" | "E" | "0" | "^" | "$"
    }
  /** `line` counts from 1; null: the last line for `G`, the first for `gg`. */
  | { readonly _tag: "Line"; readonly key: "gg" | "G"; readonly line: number | null }
  | { readonly _tag: "Find"; readonly key: "f" | "F" | "t" | "T"; readonly character: string }
  /** Repeats the last search in the line; `,` searches in the other direction. */
  | { readonly _tag: "FindAgain"; readonly key: ";" | "," }

export type Target =
  | { readonly _tag: "Motion"; readonly motion: Motion }
  | { readonly _tag: "Lines" }
  /** `around`: the object includes the blanks or delimiters around it. */
  | { readonly _tag: "Object"; readonly around: boolean; readonly key: string }

export type InsertPosition = "i" | "a" | "I" | "A" | "o" | "O"

export type VimCommand =
  | { readonly _tag: "Move"; readonly count: number; readonly motion: Motion }
  | { readonly _tag: "Operate"; readonly count: number; readonly operator: Operator; readonly target: Target }
  | { readonly _tag: "Insert"; readonly count: number; readonly position: InsertPosition }
  | { readonly _tag: "Replace"; readonly count: number; readonly character: string }
  | { readonly _tag: "ToggleCase"; readonly count: number }
  | { readonly _tag: "Put"; readonly count: number; readonly isBefore: boolean }
  | { readonly _tag: "Join"; readonly count: number }
  | { readonly _tag: "Undo"; readonly count: number }
  | { readonly _tag: "Search" }
  /** Repeats the last change. `count` null: with the original count. */
  | { readonly _tag: "Repeat"; readonly count: number | null }

/** `Partial`: more characters must follow. `Invalid`: no command begins like this. */
export type ParsedCommand =
  | { readonly _tag: "Partial" }
  | { readonly _tag: "Invalid" }
  | { readonly _tag: "Complete"; readonly command: VimCommand }

const partial: ParsedCommand = { _tag: "Partial" }
const invalid: ParsedCommand = { _tag: "Invalid" }
const complete = (command: VimCommand): ParsedCommand => ({ _tag: "Complete", command })

const maxCount = 10_000

const parseCount = (digits: string): number => Math.min(maxCount, Number(digits === "" ? "1" : digits))

const simpleMotions = "hljkwWbBeE0^$"
const isSimple = (key: string): key is Extract<Motion, { readonly _tag: "Simple" }>["key"] =>
  key !== "" && simpleMotions.includes(key)
const isFind = (key: string): key is Extract<Motion, { readonly _tag: "Find" }>["key"] =>
  key !== "" && "fFtT".includes(key)
const isOperator = (key: string): key is Operator => key !== "" && "dcy".includes(key)
const isInsert = (key: string): key is InsertPosition => key !== "" && "iaIAoO".includes(key)

/** The keys that name text objects. */
const objects = "wW\"'`()b[]{}B<>"

/** Commands that abbreviate another one. */
const aliases: Readonly<Record<string, string>> = {
  " ": "l",
  D: "d$",
  C: "c$",
  Y: "yy",
  S: "cc",
  s: "cl",
  x: "dl",
  X: "dh"
}

/** Parses a command; `typed` contains graphemes. */
export const parse = (typed: ReadonlyArray<string>): ParsedCommand => {
  const { count, digits, rest } = withCount(typed)
  const [first = "", ...more] = rest
  if (first === "") return partial
  const alias = aliases[first]
  if (alias !== undefined) return parse([...Array.from(digits + alias), ...more])
  if (isOperator(first)) return parseOperator(first, { count, isCounted: digits !== "", rest: more })
  if (isInsert(first)) return complete({ _tag: "Insert", count, position: first })
  switch (first) {
    case "r":
      return more[0] === undefined ? partial : complete({ _tag: "Replace", count, character: more[0] })
    case "~":
      return complete({ _tag: "ToggleCase", count })
    case "p":
    case "P":
      return complete({ _tag: "Put", count, isBefore: first === "P" })
    case "J":
      return complete({ _tag: "Join", count })
    case "u":
      return complete({ _tag: "Undo", count })
    case "/":
      return complete({ _tag: "Search" })
    case ".":
      return complete({ _tag: "Repeat", count: digits === "" ? null : count })
  }
  const motion = motionOf(rest, digits === "" ? null : count)
  return typeof motion === "string" ? byName[motion] : complete({ _tag: "Move", count, motion })
}

const byName = { partial, invalid } as const

/** Parses a count; a leading 0 is a motion. */
const withCount = (
  typed: ReadonlyArray<string>
): { readonly digits: string; readonly count: number; readonly rest: ReadonlyArray<string> } => {
  let at = 0
  while (at < typed.length && /^[0-9]$/u.test(typed[at] ?? "") && !(at === 0 && typed[at] === "0")) at += 1
  const digits = typed.slice(0, at).join("")
  return { digits, count: parseCount(digits), rest: typed.slice(at) }
}

const motionOf = (rest: ReadonlyArray<string>, line: number | null): Motion | keyof typeof byName => {
  const [first = "", second] = rest
  if (isSimple(first)) return { _tag: "Simple", key: first }
  if (first === " ") return { _tag: "Simple", key: "l" }
  if (isFind(first)) return second === undefined ? "partial" : { _tag: "Find", key: first, character: second }
  if (first === ";" || first === ",") return { _tag: "FindAgain", key: first }
  if (first === "G") return { _tag: "Line", key: "G", line }
  if (first !== "g") return "invalid"
  if (second === undefined) return "partial"
  return second === "g" ? { _tag: "Line", key: "gg", line } : "invalid"
}

interface OperatorInput {
  readonly count: number
  readonly isCounted: boolean
  readonly rest: ReadonlyArray<string>
}

const parseOperator = (operator: Operator, { count, isCounted, rest: after }: OperatorInput): ParsedCommand => {
  const inner = withCount(after)
  const [first = "", second] = inner.rest
  const both = Math.min(maxCount, count * inner.count)
  const operate = (target: Target): ParsedCommand => complete({ _tag: "Operate", count: both, operator, target })
  if (first === "") return partial
  if (first === operator) return operate({ _tag: "Lines" })
  if (first === "i" || first === "a") {
    if (second === undefined) return partial
    return objects.includes(second) ? operate({ _tag: "Object", around: first === "a", key: second }) : invalid
  }
  const motion = motionOf(inner.rest, isCounted || inner.digits !== "" ? both : null)
  return typeof motion === "string" ? byName[motion] : operate({ _tag: "Motion", motion })
}
