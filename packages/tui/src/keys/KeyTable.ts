/**
 * Maps escape sequences to keys: legacy xterm, rxvt and Linux console, xterm's modifyOtherKeys, CSI u with the kitty
 * protocol's additions. Pure; null: a release, a modifier alone, a report, or an unknown sequence.
 */
import { functionKey, type Key, type Modifiers, type Name, namedKey, textKey } from "./Key.ts"

type NamedKey = Exclude<Name, "text" | "function">

const byLetter: Readonly<Record<string, NamedKey>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter"
}

const byNumber: Readonly<Record<number, NamedKey>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageUp",
  6: "pageDown",
  7: "home",
  8: "end"
}

const functionLetters = "PQRS"
/** The numbers of F1 to F20, in order. */
const functionNumbers = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]

const byCode: Readonly<Record<number, NamedKey>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageUp",
  57422: "pageDown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete"
}

const keypad = "0123456789./*-+"
const firstKeypadCode = 57399
/** True for keys without text: kitty's private codes. */
const isPrivate = (code: number): boolean => code >= 57344 && code <= 63743

const shiftBit = 1
const altBits = 2 | 32
const ctrlBit = 4
/** The bits of super and hyper, which the window system uses. */
const foreignBits = 8 | 16

/** Returns the modifiers; null: the key has a modifier that the editor does not use. */
const modifiersOf = (parameter: number): Modifiers | null => {
  const bits = Math.max(0, parameter - 1)
  if ((bits & foreignBits) !== 0) return null
  return { shift: (bits & shiftBit) !== 0, alt: (bits & altBits) !== 0, ctrl: (bits & ctrlBit) !== 0 }
}

/** Returns the key for a code point in the protocols' encoding: the text that it types, or a named key. */
const byCodePoint = (code: number, modifiers: Modifiers, produced: string): Key | null => {
  const name = byCode[code]
  if (name !== undefined) return namedKey(name, modifiers)
  if (code >= firstKeypadCode && code < firstKeypadCode + keypad.length) {
    return textKey(keypad[code - firstKeypadCode] ?? "", modifiers)
  }
  if (isPrivate(code) || code < 0x20 || code > 0x10ffff) return null
  if (produced !== "") return textKey(produced, modifiers)
  const text = String.fromCodePoint(code)
  if (modifiers.ctrl === true) return textKey(text.toLowerCase(), modifiers)
  return textKey(modifiers.shift === true ? text.toUpperCase() : text, modifiers)
}

const released = "3"

const kitty = (parameters: ReadonlyArray<string>): Key | null => {
  const [codes = "", mods = "", texts = ""] = parameters
  const [code = "", shifted = "", base = ""] = codes.split(":")
  const [modifier = "", event = ""] = mods.split(":")
  const modifiers = modifiersOf(Number(modifier))
  if (modifiers === null || event === released || code === "") return null
  if (modifiers.ctrl === true) return byCodePoint(Number(base === "" ? code : base), modifiers, "")
  const produced = texts === "" ? (modifiers.shift === true ? shifted : "") : texts
  return byCodePoint(Number(code), modifiers, textOf(produced))
}

const textOf = (codePoints: string): string =>
  codePoints === ""
    ? ""
    : codePoints
        .split(":")
        .map(Number)
        .filter((code) => code >= 0x20 && code !== 0x7f && code <= 0x10ffff)
        .map((code) => String.fromCodePoint(code))
        .join("")

const keyOfNumber = (number: number, modifiers: Modifiers): Key | null => {
  const name = byNumber[number]
  if (name !== undefined) return namedKey(name, modifiers)
  const at = functionNumbers.indexOf(number)
  return at < 0 ? null : functionKey(at + 1, modifiers)
}

const keyOfLetter = (letter: string, modifiers: Modifiers): Key | null => {
  const name = byLetter[letter]
  if (name !== undefined) return namedKey(name, modifiers)
  const at = functionLetters.indexOf(letter)
  return at < 0 ? null : functionKey(at + 1, modifiers)
}

const rxvtFinals: Readonly<Record<string, Modifiers>> = {
  $: { shift: true },
  "^": { ctrl: true },
  "@": { ctrl: true, shift: true }
}

/** Decodes the part after `ESC [`: the raw parameters and the final byte. */
export const csi = (parameters: string, final: string): Key | null => {
  if (/[^\d;:]/u.test(parameters)) return null
  const fields = parameters.split(";")
  const [first = "", second = "", third = ""] = fields
  if (final === "u") return kitty(fields)
  if (final === "Z") return namedKey("tab", { shift: true })
  if (final === "~" && first === "27" && third !== "") {
    const modifiers = modifiersOf(Number(second))
    return modifiers === null ? null : byCodePoint(Number(third), modifiers, "")
  }
  const rxvt = rxvtFinals[final]
  if (rxvt !== undefined) return keyOfNumber(Number(first), rxvt)
  const [modifier = "", event = ""] = second.split(":")
  const modifiers = modifiersOf(Number(modifier))
  if (modifiers === null || event === released) return null
  if (final === "~") return keyOfNumber(Number(first), modifiers)
  // `CSI row ; column R` is a report of the cursor's position, unless the row is 1, as for F3.
  if (final === "R" && first !== "" && first !== "1") return null
  return /[abcd]/u.test(final)
    ? keyOfLetter(final.toUpperCase(), { shift: true })
    : final === "M"
      ? null
      : keyOfLetter(final, modifiers)
}

/** Decodes the letters after `ESC O`. */
export const ss3 = (parameters: string, final: string): Key | null => {
  const modifiers = modifiersOf(Number(parameters.split(";").at(-1) ?? ""))
  if (modifiers === null) return null
  if (/[abcd]/u.test(final)) return keyOfLetter(final.toUpperCase(), { ctrl: true })
  if (/[j-y]/u.test(final)) return textKey("*+,-./0123456789"[final.charCodeAt(0) - 0x6a] ?? "", modifiers)
  return keyOfLetter(final, modifiers)
}

/** Decodes the letters of `ESC [ [ A` to `E`: F1 to F5 of the Linux console. */
export const linuxConsole = (letter: string): Key | null => {
  const at = "ABCDE".indexOf(letter)
  return at < 0 ? null : functionKey(at + 1)
}

/** Reads a control character, or DEL. */
export const control = (character: string): Key | null => {
  const code = character.charCodeAt(0)
  if (code === 0x0d) return namedKey("enter")
  if (code === 0x09) return namedKey("tab")
  if (code === 0x7f || code === 0x08) return namedKey("backspace")
  if (code === 0x1b) return namedKey("escape")
  if (code === 0x00) return textKey(" ", { ctrl: true })
  if (code < 0x1b) return textKey(String.fromCharCode(code + 0x60), { ctrl: true })
  return code < 0x20 ? textKey(String.fromCharCode(code + 0x40), { ctrl: true }) : null
}
