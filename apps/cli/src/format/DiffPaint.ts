/** Colours a line of a diff; without colours, its sign still shows the change. Pure. */
import type { Paint, Style } from "@bough/tui/theme/Style"

export const diffPaint = (line: string, style: Style): Paint => {
  if (/^(?:\+\+\+|---) /u.test(line)) return style.bold
  if (line.startsWith("+")) return style.green
  if (line.startsWith("-")) return style.red
  return line.startsWith("@@") ? style.dim : (row) => row
}
