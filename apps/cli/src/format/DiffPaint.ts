/** Colours a line of a diff; its sign has the same meaning without colours. Pure. */
import type { Paint, Style } from "@bough/tui/theme/Style"

export const diffPaint = (line: string, style: Style): Paint => {
  if (/^(?:\+\+\+|---) /u.test(line)) return style.bold
  if (line.startsWith("+")) return style.green
  if (line.startsWith("-")) return style.red
  return line.startsWith("@@") ? style.dim : (row) => row
}
