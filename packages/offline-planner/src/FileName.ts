/** Distinguishes files, directories and other words. */

/** The file extensions by the common names of file types. */
const extensions: Readonly<Record<string, string>> = {
  typescript: "ts",
  javascript: "js",
  python: "py",
  markdown: "md",
  rust: "rs",
  ruby: "rb",
  shell: "sh",
  text: "txt",
  golang: "go",
  java: "java",
  json: "json",
  yaml: "yaml",
  html: "html",
  css: "css",
  go: "go"
}

/**
 * Returns true if an ambiguous word is the name of a file: it contains a dot or slash, or is a name such as LICENSE or
 * Makefile.
 */
export const isLikely = (word: string): boolean => /[./\\]/.test(word) || /^[A-Z][A-Z0-9_-]+$|file$/.test(word)

/** Returns true if the word is probably not a directory. */
export const isFile = (word: string | null): boolean => word !== null && /[^./\\]\.\w+$/.test(word)

/**
 * Returns a glob, which matches in any directory if the word has no slash. A name with an extension is the complete
 * file name; any other word is a part of the name. `isKind`: the word is the extension or its common name, as in "ts
 * files" and "typescript files".
 */
export const globOf = (word: string, isKind: boolean): string => {
  if (/[*?[\]{}/]/.test(word)) return word
  if (isKind) {
    const kind = word.toLowerCase().replace(/^\./, "")
    if (/^\w{1,5}$/.test(kind) || kind in extensions) return `*.${extensions[kind] ?? kind}`
  }
  return word.includes(".") ? word : `*${word}*`
}
