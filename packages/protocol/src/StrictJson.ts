/**
 * Reads JSON strictly: like `JSON.parse`, but it refuses repeated keys, `__proto__`, infinite numbers and excessive
 * nesting, and reports the position of a fault, which `JSON.parse` does not guarantee. A parser for JSON with comments,
 * such as `jsonc-parser`, knows positions, but accepts more than JSON and uses the last of two equal keys.
 */
import * as Result from "effect/Result"

/** `offset` counts UTF-16 units from 0. `path` is dotted; it is "" if no part of the text can be read. */
export interface JsonFault {
  readonly message: string
  readonly offset: number
  readonly path: string
}

type Faults = readonly [JsonFault, ...ReadonlyArray<JsonFault>]

/** The limits on the size of the text: each value is decoded, checked and encoded again without a pause. */
export interface ScanLimits {
  readonly maxDepth: number
  readonly maxValues: number
  /** If false, repeated keys and `__proto__` are accepted, as in `JSON.parse`. */
  readonly checksKeys: boolean
}

/** Limits for the arguments of a tool call: deeper than any tool's parameters, shallower than the stack. */
const argumentLimits: ScanLimits = { maxDepth: 128, maxValues: 20_000, checksKeys: true }
export const { maxValues } = argumentLimits
/** The maximum number of repeated keys that are reported. */
const maxRepeated = 20

/** Returns the value, the position where the text stops being JSON, or the first repeated keys. */
export const parse = (text: string): Result.Result<unknown, Faults> => {
  const scanner = new Scanner(text, argumentLimits)
  const fault = scanner.scan()
  if (fault !== null) return Result.fail([fault])
  const [first, ...others] = scanner.repeated
  return first === undefined ? Result.succeed(JSON.parse(text) as unknown) : Result.fail([first, ...others])
}

/**
 * Returns the first position where the text stops being JSON within the limits; null: the text is JSON. Repeated keys
 * are ignored here.
 */
export const findFault = (text: string, limits: ScanLimits): JsonFault | null => new Scanner(text, limits).scan()

/**
 * Returns the first fault or repeated key within the limits; null: every JSON parser reads the text in the same way.
 */
export const findAmbiguity = (text: string, limits: ScanLimits): JsonFault | null => {
  const scanner = new Scanner(text, limits)
  return scanner.scan() ?? scanner.repeated.at(0) ?? null
}

const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

// oxlint-disable-next-line no-control-regex -- JSON has none of them in a string
const special = /[\\\u0000-\u001f]/
const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20

class Scanner {
  readonly repeated: Array<JsonFault> = []
  readonly #text: string
  readonly #limits: ScanLimits
  #at = 0
  #values = 0
  #path: Array<string | number> = []

  constructor(text: string, limits: ScanLimits) {
    this.#text = text
    this.#limits = limits
  }

  scan(): JsonFault | null {
    this.#space()
    const fault = this.#value()
    if (fault !== null) return fault
    this.#space()
    return this.#at === this.#text.length ? null : this.#fault("expected nothing more after the value")
  }

  #value(): JsonFault | null {
    const { maxValues } = this.#limits
    if (++this.#values > maxValues) return this.#fault(`it holds more than ${maxValues.toLocaleString("en")} values`)
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#object())
      case "[":
        return this.#nested(() => this.#array())
      case '"':
        return this.#string()
      case "t":
        return this.#word("true")
      case "f":
        return this.#word("false")
      case "n":
        return this.#word("null")
      default:
        return this.#number()
    }
  }

  #nested(inner: () => JsonFault | null): JsonFault | null {
    const { maxDepth } = this.#limits
    if (this.#path.length === maxDepth) return this.#fault(`nested deeper than ${maxDepth}`)
    this.#at++
    this.#path.push(0)
    const fault = inner()
    if (fault === null) this.#path.pop()
    return fault
  }

  #object(): JsonFault | null {
    const seen = new Set<string>()
    this.#space()
    if (this.#takes("}")) return null
    for (;;) {
      this.#space()
      const start = this.#at
      if (this.#text[start] !== '"') return this.#fault("expected a key in double quotes")
      const fault = this.#string()
      if (fault !== null) return fault
      if (this.#limits.checksKeys) {
        const key = this.#key(start)
        this.#path[this.#path.length - 1] = key
        if (seen.has(key) && this.repeated.length < maxRepeated) this.repeated.push(this.#repetition(key, start))
        if (key === "__proto__") return this.#fault('the key "__proto__" is not allowed', start)
        seen.add(key)
      }
      this.#space()
      if (!this.#takes(":")) return this.#fault('expected ":" after the key')
      this.#space()
      const inner = this.#value()
      if (inner !== null) return inner
      this.#space()
      if (this.#takes("}")) return null
      if (!this.#takes(",")) return this.#fault('expected "," or "}"')
    }
  }

  /** Returns the string that ends here. */
  #key(start: number): string {
    const spelled = this.#text.slice(start, this.#at)
    return spelled.includes("\\") ? (JSON.parse(spelled) as string) : spelled.slice(1, -1)
  }

  #array(): JsonFault | null {
    this.#space()
    if (this.#takes("]")) return null
    for (let index = 0; ; index++) {
      this.#path[this.#path.length - 1] = index
      this.#space()
      const inner = this.#value()
      if (inner !== null) return inner
      this.#space()
      if (this.#takes("]")) return null
      if (!this.#takes(",")) return this.#fault('expected "," or "]"')
    }
  }

  /** Reads a string without a regular expression, which overflows the stack on a long one. */
  #string(): JsonFault | null {
    const start = this.#at
    const end = this.#text.indexOf('"', start + 1)
    // A fast path: most strings, and nearly all long ones, contain nothing that needs checking.
    if (end !== -1 && !special.test(this.#text.slice(start + 1, end))) {
      this.#at = end + 1
      return null
    }
    for (this.#at++; this.#at < this.#text.length;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === quote) {
        this.#at++
        return null
      }
      if (code < firstPrintable) return this.#fault("a control character in a string must be escaped")
      if (code !== backslash) this.#at++
      else if (!this.#skip(escape)) return this.#fault("this escape does not exist in JSON")
    }
    return this.#fault("this string does not end", start)
  }

  #number(): JsonFault | null {
    const start = this.#at
    this.#takes("-")
    if (!this.#takes("0") && !this.#digits()) {
      this.#at = start
      return this.#fault(start === this.#text.length ? "it ends too early" : "expected a value")
    }
    this.#optionally(() => this.#takes(".") && this.#digits())
    this.#optionally(() => {
      if (!this.#takes("e") && !this.#takes("E")) return false
      if (!this.#takes("+")) this.#takes("-")
      return this.#digits()
    })
    return Number.isFinite(Number(this.#text.slice(start, this.#at)))
      ? null
      : this.#fault("this number is too big", start)
  }

  #word(word: string): JsonFault | null {
    if (!this.#text.startsWith(word, this.#at)) return this.#fault("expected a value")
    this.#at += word.length
    return null
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  // A loop counts runs of any length: a regular expression would store a position for backtracking for each character.
  #space(): void {
    for (;;) {
      const code = this.#code()
      if (code > 0x20 || !(code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)) return
      this.#at++
    }
  }

  /** Reads digits; false: there were none. */
  #digits(): boolean {
    const start = this.#at
    for (let code = this.#code(); code >= 0x30 && code <= 0x39; code = this.#code()) this.#at++
    return this.#at > start
  }

  /** Returns NaN at the end of the text. */
  #code(): number {
    return this.#text.charCodeAt(this.#at)
  }

  /** Reads an optional part; if the part is incomplete, goes back to its start. */
  #optionally(part: () => boolean): void {
    const start = this.#at
    if (!part()) this.#at = start
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #repetition(key: string, offset: number): JsonFault {
    return { message: `the key ${JSON.stringify(key)} appears twice`, offset, path: this.#path.join(".") }
  }

  #fault(message: string, offset = this.#at): JsonFault {
    return { message, offset, path: "" }
  }
}

/** Returns line and column of an offset, both from 1; columns count UTF-16 units. */
export const lineAndColumn = (text: string, offset: number): string => {
  const before = text.slice(0, offset)
  return `line ${before.split("\n").length}, column ${offset - before.lastIndexOf("\n")}`
}

/**
 * Returns line, column and the text around each fault, with an arrow before the position, in the order of their
 * offsets.
 */
export const locate = (text: string, faults: ReadonlyArray<JsonFault>): ReadonlyArray<string> => {
  let line = 1
  let lineStart = 0
  return faults.map(({ offset }) => {
    for (let end = text.indexOf("\n", lineStart); end !== -1 && end < offset; end = text.indexOf("\n", lineStart)) {
      line++
      lineStart = end + 1
    }
    const around = `${text.slice(Math.max(0, offset - 20), offset)}⟶${text.slice(offset, offset + 20)}`.toWellFormed()
    return `line ${line}, column ${offset - lineStart + 1} (offset ${offset}), at «${around}»`
  })
}
