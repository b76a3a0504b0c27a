/** Distinguishes files, directories and other words. */

/** Common names of kinds of files. */
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

/** True if an ambiguous word is a file's name: it has a dot or slash, or is like LICENSE or Makefile. */
export const isLikely = (word: string): boolean => /[./\\]/.test(word) || /^[A-Z][A-Z0-9_-]+$|file$/.test(word)

/** True if the word can hardly be a directory. */
export const isFile = (word: string | null): boolean => word !== null && /[^./\\]\.\w+$/.test(word)

/**
 * Returns a glob, which without a slash covers any directory. A name with an extension is the complete file name, any
 * other word a part of one. In "ts files" and "typescript files" (`isKind`) the word is what the names end in.
 */
export const globOf = (word: string, isKind: boolean): string => {
  if (/[*?[\]{}/]/.test(word)) return word
  if (isKind) {
    const kind = word.toLowerCase().replace(/^\./, "")
    if (/^\w{1,5}$/.test(kind) || kind in extensions) return `*.${extensions[kind] ?? kind}`
  }
  return word.includes(".") ? word : `*${word}*`
}
