/** Formats tables in Markdown: rows of cells between bars, with a line below the first. */
import type { Element } from "./document.ts"

interface Cell extends Element {
  readonly parentNode: Row
}
interface Row extends Element {
  readonly parentNode: Element & { readonly parentNode: Element | null }
}

const cell = (content: string): string => ` ${content.replace(/\s+/g, " ").trim().replaceAll("|", "\\|")} |`

const isElement = ({ nodeType }: Element): boolean => nodeType === 1

/** True for the first row of its table, even if the table does not mark it as a heading. */
const isFirst = (row: Row): boolean => {
  const table = row.parentNode.localName === "table" ? row.parentNode : (row.parentNode.parentNode ?? row.parentNode)
  return table.querySelector("tr") === row
}

const row = (content: string, element: Row): string => {
  const columns = [...element.childNodes].filter(isElement).length
  const below = isFirst(element) ? `\n|${" --- |".repeat(columns)}` : ""
  return `\n|${content}${below}`
}

export const tableRules = {
  tableCell: { filter: ["th", "td"], replacement: (content: string, _element: Cell) => cell(content) },
  tableRow: { filter: "tr", replacement: row },
  tablePart: { filter: ["thead", "tbody", "tfoot"], replacement: (content: string) => content },
  table: { filter: "table", replacement: (content: string) => `\n\n${content.trim()}\n\n` }
} as const
