/** A unified diff as rows with line numbers. Text that is not a diff has no rows. Pure. */

export interface DiffRow {
  readonly kind: "added" | "removed" | "same" | "hunk" | "file"
  readonly text: string
  readonly before: number | null
  readonly after: number | null
}

const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u

/** Returns true if the text contains a hunk of a unified diff. */
export const isDiff = (text: string): boolean => /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/mu.test(text)

export const rowsOf = (text: string): ReadonlyArray<DiffRow> => {
  const rows: Array<DiffRow> = []
  let before = 0
  let after = 0
  let isInHunk = false
  for (const line of text.replace(/\n$/u, "").split("\n")) {
    const start = hunk.exec(line)
    if (start !== null) {
      before = Number(start[1])
      after = Number(start[2])
      isInHunk = true
      rows.push({ kind: "hunk", text: line, before: null, after: null })
    } else if (isInHunk && line.startsWith("+")) {
      rows.push({ kind: "added", text: line.slice(1), before: null, after: after++ })
    } else if (isInHunk && line.startsWith("-")) {
      rows.push({ kind: "removed", text: line.slice(1), before: before++, after: null })
    } else if (isInHunk && (line.startsWith(" ") || line === "")) {
      rows.push({ kind: "same", text: line.slice(1), before: before++, after: after++ })
    } else {
      isInHunk = isInHunk && line.startsWith("\\")
      rows.push({ kind: "file", text: line, before: null, after: null })
    }
  }
  return rows
}

export const countChanges = (rows: ReadonlyArray<DiffRow>): { readonly added: number; readonly removed: number } => ({
  added: rows.filter(({ kind }) => kind === "added").length,
  removed: rows.filter(({ kind }) => kind === "removed").length
})
