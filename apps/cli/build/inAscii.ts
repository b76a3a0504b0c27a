/**
 * Code without letters outside of ASCII. esbuild leaves those of templates and patterns, and a single one makes the engine hold
 * and scan the whole file with two bytes a letter.
 */

/** Returns the code unchanged where an escape would be read as it is written. */
export const inAscii = (code: string): string =>
  /\braw`[^`]*[^\0-\x7F]/u.test(code)
    ? code
    : code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
