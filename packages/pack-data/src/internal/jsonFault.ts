/** Where a text stops being JSON, and what would have to stand there: the parser of the language often says neither. Pure. */

export interface Fault {
  readonly offset: number
  readonly problem: string
}

/** Deeper nesting would exhaust the stack of whoever writes the value again. */
const maxDepth = 500

/** Each of them is parsed, checked and written anew without a pause. */
export const maxValues = 50_000

const expectations = {
  value: "a value",
  valueOrEnd: 'a value or "]"',
  key: "a key in double quotes",
  keyOrEnd: 'a key in double quotes or "}"',
  colon: '":"',
  more: '"," or the closing bracket',
  end: "nothing more"
}
type Expectation = keyof typeof expectations

/** The first place at fault; null: the text is JSON, and every number fits a double. */
export const find = (text: string): Fault | null => {
  const open: Array<"{" | "["> = []
  let expected: Expectation = "value"
  let offset = 0
  let values = 0
  const afterValue = (): Expectation => (open.length === 0 ? "end" : "more")
  for (;;) {
    offset = skipSpace(text, offset)
    const char = text.charAt(offset)
    if (char === "") return expected === "end" ? null : unexpected(text, offset, expected)
    const container = open.at(-1)
    if (takesValue(expected) && ++values > maxValues) {
      return { offset, problem: `more than ${maxValues.toLocaleString("en")} values` }
    }
    if (closes(char, expected, container)) {
      open.pop()
      offset++
      expected = afterValue()
    } else if (expected === "colon" && char === ":") {
      offset++
      expected = "value"
    } else if (expected === "more" && char === ",") {
      offset++
      expected = container === "{" ? "key" : "value"
    } else if (takesKey(expected) && char === '"') {
      const ended = endOfString(text, offset)
      if (typeof ended !== "number") return ended
      offset = ended
      expected = "colon"
    } else if (takesValue(expected) && (char === "{" || char === "[")) {
      if (open.push(char) > maxDepth) return { offset, problem: `nested deeper than ${maxDepth}` }
      offset++
      expected = char === "{" ? "keyOrEnd" : "valueOrEnd"
    } else if (takesValue(expected)) {
      const ended = char === '"' ? endOfString(text, offset) : endOfWord(text, offset)
      if (ended === null) return unexpected(text, offset, expected)
      if (typeof ended !== "number") return ended
      offset = ended
      expected = afterValue()
    } else return unexpected(text, offset, expected)
  }
}

/** `line 2, column 5`, both 1-based; columns count UTF-16 units. */
export const place = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split("\n")
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`
}

const takesKey = (expected: Expectation): boolean => expected === "key" || expected === "keyOrEnd"
const takesValue = (expected: Expectation): boolean => expected === "value" || expected === "valueOrEnd"

const closes = (char: string, expected: Expectation, container: "{" | "[" | undefined): boolean =>
  container === "{"
    ? char === "}" && (expected === "keyOrEnd" || expected === "more")
    : container === "[" && char === "]" && (expected === "valueOrEnd" || expected === "more")

const unexpected = (text: string, offset: number, expected: Expectation): Fault => {
  const char = text.codePointAt(offset)
  const found = char === undefined ? "the text ends" : `${JSON.stringify(String.fromCodePoint(char))} stands`
  return { offset, problem: `${found} where ${expectations[expected]} should` }
}

const skipSpace = (text: string, from: number): number => {
  let offset = from
  while (offset < text.length && " \t\n\r".includes(text.charAt(offset))) offset++
  return offset
}

const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Null: no literal begins here. */
const endOfWord = (text: string, from: number): number | Fault | null => {
  word.lastIndex = from
  const [found] = word.exec(text) ?? []
  if (found === undefined) return null
  const isNumber = /[\d-]/.test(found.charAt(0))
  return isNumber && !Number.isFinite(Number(found))
    ? { offset: from, problem: "a number too large for a double" }
    : from + found.length
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const endOfString = (text: string, from: number): number | Fault => {
  for (let offset = from + 1; offset < text.length;) {
    const char = text.charAt(offset)
    if (char === '"') return offset + 1
    if (char < " ") return { offset, problem: "a control character stands unescaped in a string" }
    if (char === "\\") {
      escape.lastIndex = offset
      const [found] = escape.exec(text) ?? []
      if (found === undefined) return { offset, problem: "no escape that JSON knows" }
      offset += found.length
    } else offset++
  }
  return { offset: text.length, problem: "the text ends within a string" }
}
