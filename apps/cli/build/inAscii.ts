/**
 * Escapes letters outside of ASCII in code. esbuild keeps such letters in templates and patterns, and with a single one
 * the engine stores and scans the whole file with two bytes per letter.
 */

/** Returns the code with escapes; unchanged if an escape would have another meaning at that position. */
export const inAscii = (code: string): string =>
  /\braw`[^`]*[^\0-\x7F]/u.test(code)
    ? code
    : code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
