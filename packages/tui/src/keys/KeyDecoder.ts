/**
 * Decodes key presses and pastes from the bytes that a terminal sends, in chunks of any size. Pure: a lone Escape is
 * distinguished from the beginning of a sequence by time, which the caller measures (`isWaiting`, `elapsed`).
 */
import { text as safe } from "../text/SafeText.ts"
import type { Key } from "./Key.ts"
import * as KeyTable from "./KeyTable.ts"

/**
 * Asks the terminal for bracketed paste, and for keys that legacy escape sequences do not distinguish, such as
 * Shift-Enter.
 */
export const enable = safe`\u001B[?2004h\u001B[>1u\u001B[>4;1m`
export const disable = safe`\u001B[>4m\u001B[<u\u001B[?2004l`

/** The time for which a lone Escape waits for the rest of a sequence. */
export const waitMillis = 40

export type Input =
  | { readonly _tag: "KeyPressed"; readonly key: Key }
  /** The text as sent: most terminals write each line break as a carriage return. */
  | { readonly _tag: "Pasted"; readonly text: string }
  /** The terminal's answer to a query: the content of an operating system command or similar. */
  | { readonly _tag: "Answered"; readonly text: string }

export interface DecoderState {
  /** The bytes of an incomplete character. */
  readonly bytes: Uint8Array
  /** The beginning of a sequence; within a paste, the possible beginning of its end. */
  readonly undecided: string
  /** The parts of the current paste; null: there is no paste. */
  readonly paste: ReadonlyArray<string> | null
}

export interface DecodeResult {
  readonly state: DecoderState
  readonly inputs: ReadonlyArray<Input>
}

export const initial: DecoderState = { bytes: new Uint8Array(), undecided: "", paste: null }

/**
 * True if a key waits until more bytes arrive or `elapsed` reports that none did. Incomplete sequences with parameters
 * and incomplete answers to the background query wait longer.
 */
export const isWaiting = ({ paste, undecided }: DecoderState): boolean =>
  paste === null && undecided !== "" && (undecided.length <= 2 || isReport(undecided)) && !isBackground(undecided)

export const decode = (state: DecoderState, chunk: Uint8Array): DecodeResult => {
  const all = Buffer.concat([state.bytes, chunk])
  const end = all.length - incompleteLength(all)
  return read({ ...state, bytes: all.subarray(end) }, all.toString("utf8", 0, end))
}

/** Handles the end of the wait: Escape was pressed, alone or as Alt. */
export const endWait = (state: DecoderState): DecodeResult => {
  if (!isWaiting(state)) return { state, inputs: [] }
  const { undecided } = state
  const decided = { ...state, undecided: "" }
  if (undecided.length === 1) return { state: decided, inputs: press(KeyTable.control(escape)) }
  const first = String.fromCodePoint(undecided.codePointAt(1) ?? 0)
  if (first === escape) {
    const rest = endWait({ ...state, undecided: undecided.slice(1) })
    return { ...rest, inputs: [...press(KeyTable.control(escape)), ...rest.inputs] }
  }
  const rest = read(decided, undecided.slice(1 + first.length))
  return { ...rest, inputs: [...press(withAlt(plain(first))), ...rest.inputs] }
}

const escape = "\u001B"
const pasteEnd = "\u001B[201~"
const maxSequenceLength = 256
const maxReportLength = 65_536

/** The characters that open an operating system command, a device control string and similar sequences. */
const reports = "]P_^X"
const isReport = (sequence: string): boolean => reports.includes(sequence[1] ?? " ")

/**
 * True for the beginning of the terminal's report of its background: users do not type it, and over a network it may
 * arrive in pieces.
 */
const isBackground = (sequence: string): boolean =>
  sequence.startsWith(`${escape}]`) &&
  /^1(?:1(?:;[rgba-f\d:/]{0,24})?)?$/u.test(sequence.slice(2, sequence.endsWith(escape) ? -1 : undefined))

/** Returns the bytes at the end that begin an incomplete character. */
const incompleteLength = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

const press = (key: Key | null): ReadonlyArray<Input> => (key === null ? [] : [{ _tag: "KeyPressed", key }])

const withAlt = (key: Key | null): Key | null => (key === null ? null : { ...key, alt: true })

/** True for a control character, including C1. */
const isControl = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit < 0x20 || (unit >= 0x7f && unit < 0xa0)
}

const plain = (character: string): Key | null =>
  isControl(character, 0)
    ? KeyTable.control(character)
    : { name: "text", text: character, ctrl: false, alt: false, shift: false }

/** The result of reading the sequence at a position: its end and its meaning; null: it is incomplete. */
type ReadSequence = { readonly to: number; readonly inputs: ReadonlyArray<Input>; readonly beginsPaste?: true } | null

const read = (state: DecoderState, more: string): DecodeResult => {
  const text = state.undecided + more
  const inputs: Array<Input> = []
  let { paste } = state
  let at = 0
  while (at < text.length) {
    if (paste === null) {
      const found = next(text, at)
      if (found === null) break
      inputs.push(...found.inputs)
      at = found.to
      if (found.beginsPaste === true) paste = []
    } else {
      const end = text.indexOf(pasteEnd, at)
      const to = end < 0 ? text.length - beginningOfEnd(text, at) : end
      paste = [...paste, text.slice(at, to)]
      at = to
      if (end < 0) break
      inputs.push({ _tag: "Pasted", text: paste.join("") })
      paste = null
      at = end + pasteEnd.length
    }
  }
  return { state: { ...state, undecided: text.slice(at), paste }, inputs }
}

/** Returns the number of units at the end that may begin the end of the paste. */
const beginningOfEnd = (text: string, from: number): number => {
  for (let length = Math.min(pasteEnd.length - 1, text.length - from); length > 0; length--) {
    if (text.endsWith(pasteEnd.slice(0, length))) return length
  }
  return 0
}

const next = (text: string, at: number): ReadSequence => {
  if (text[at] === escape) return afterEscape(text, at)
  let to = at
  while (to < text.length && !isControl(text, to)) to += 1
  return to > at
    ? { to, inputs: press({ name: "text", text: text.slice(at, to), ctrl: false, alt: false, shift: false }) }
    : { to: at + 1, inputs: press(KeyTable.control(text[at] ?? "")) }
}

const afterEscape = (text: string, at: number): ReadSequence => {
  const code = text.codePointAt(at + 1)
  if (code === undefined) return null
  const character = String.fromCodePoint(code)
  if (character === "[") return csi(text, at + 2)
  if (character === "O") return ss3(text, at)
  if (reports.includes(character)) return report(text, at + 2)
  if (character !== escape) return { to: at + 1 + character.length, inputs: press(withAlt(plain(character))) }
  const third = text[at + 2]
  if (third === undefined) return null
  // Some terminals send Alt as an Escape before the whole sequence.
  if (third !== "[" && third !== "O") return { to: at + 1, inputs: press(KeyTable.control(escape)) }
  const found = afterEscape(text, at + 1)
  if (found === null || found.beginsPaste === true) return found
  return {
    ...found,
    inputs: found.inputs.map((input) =>
      input._tag === "KeyPressed" ? { ...input, key: { ...input.key, alt: true } } : input
    )
  }
}

/** Reads a sequence after `ESC [`. A byte that cannot be part of the sequence ends it and is left in the input. */
const csi = (text: string, start: number): ReadSequence => {
  if (text[start] === "[") {
    const letter = text[start + 1]
    return letter === undefined ? null : { to: start + 2, inputs: press(KeyTable.linuxConsole(letter)) }
  }
  let at = start
  while (at < text.length && at - start < maxSequenceLength) {
    const unit = text.charCodeAt(at)
    const parameters = text.slice(start, at)
    const isShifted = unit === 0x24 && /^[2-8]$/u.test(parameters)
    if ((unit >= 0x40 && unit <= 0x7e) || isShifted) return decodeSequence(text, { parameters, at })
    if (unit < 0x20 || unit > 0x7e) return { to: at, inputs: [] }
    at += 1
  }
  return at - start < maxSequenceLength ? null : { to: at, inputs: [] }
}

const mouseBytes = 3

const decodeSequence = (
  text: string,
  { at, parameters }: { readonly parameters: string; readonly at: number }
): ReadSequence => {
  const final = text[at] ?? ""
  const to = at + 1
  if (final === "~" && parameters === "200") return { to, inputs: [], beginsPaste: true }
  if (final === "M" && parameters === "")
    return text.length < to + mouseBytes ? null : { to: to + mouseBytes, inputs: [] }
  return { to, inputs: press(KeyTable.csi(parameters, final)) }
}

/** Reads `ESC O`, digits and a letter; any other text means Alt with a capital O. */
const ss3 = (text: string, escapeAt: number): ReadSequence => {
  const start = escapeAt + 2
  let at = start
  while (at < text.length && at - start < maxSequenceLength && /[\d;]/u.test(text[at] ?? "")) at += 1
  const final = text[at]
  if (final === undefined) return null
  return /[A-Za-z]/u.test(final)
    ? { to: at + 1, inputs: press(KeyTable.ss3(text.slice(start, at), final)) }
    : { to: start, inputs: press(withAlt(plain("O"))) }
}

const terminalAnswer = (text: string): ReadonlyArray<Input> => [{ _tag: "Answered", text }]

/** Reads a terminal's answer, from after its opening to BEL or `ESC \\`. */
const report = (text: string, start: number): ReadSequence => {
  const limit = start + maxReportLength
  for (let at = start; at < Math.min(text.length, limit); at++) {
    if (text[at] === "\u0007") return { to: at + 1, inputs: terminalAnswer(text.slice(start, at)) }
    if (text[at] === escape) {
      if (at + 1 >= text.length) return null
      return text[at + 1] === "\\"
        ? { to: at + 2, inputs: terminalAnswer(text.slice(start, at)) }
        : { to: at, inputs: [] }
    }
  }
  return text.length < limit ? null : { to: limit, inputs: [] }
}
