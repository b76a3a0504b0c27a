/** The diff of a question, in the colours of its language. It is painted once, because every frame shows it. */
import type { Approval } from "@bough/protocol"
import * as Highlight from "@bough/tui/code/Highlight"
import * as DiffRows from "@bough/tui/diff/DiffRows"
import * as UnifiedDiff from "@bough/tui/diff/UnifiedDiff"
import type { SafeText } from "@bough/tui/text/SafeText"
import type { Theme } from "@bough/tui/theme/Theme"
import { exact } from "../../format/ApprovalText.ts"
import * as BlockLanguages from "./BlockLanguages.ts"

interface PaintedDiff {
  readonly theme: Theme
  readonly isLoaded: boolean
  readonly lines: ReadonlyArray<SafeText>
}

const painted = new WeakMap<Approval.Request, PaintedDiff>()

/** One text for each line of the preview; null: it is not a diff, or the theme has no colours for code. */
export const paint = (request: Approval.Request, theme: Theme): ReadonlyArray<SafeText> | null => {
  if (theme.syntax === null || !UnifiedDiff.isDiff(request.preview.render)) return null
  const language = BlockLanguages.forRequest(request)
  const isLoaded = language !== null && Highlight.isSettled(language)
  const known = painted.get(request)
  if (known?.theme === theme && known.isLoaded === isLoaded) return known.lines
  const lines = DiffRows.paintedLines(request.preview.render, isLoaded ? language : null, { theme, escape: exact })
  painted.set(request, { theme, isLoaded, lines })
  return lines
}

/** Calls back once the grammar of the diff is loaded, if it has to be loaded. */
export const load = (request: Approval.Request, theme: Theme, onLoaded: () => void): void => {
  const language = theme.syntax === null ? null : BlockLanguages.forRequest(request)
  if (language !== null && !Highlight.isSettled(language)) void Highlight.load(language).then(onLoaded)
}
