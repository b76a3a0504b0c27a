/** The committed files of a recording, and the rendering of its picture. */
import { fileURLToPath } from "node:url"
import type { Cast } from "./Cast.ts"
import * as Cells from "./Cells.ts"
import * as Player from "./Player.ts"
import * as Svg from "./Svg.ts"

const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

export const folder = inRepository("docs/recording")
export const castFile = inRepository("docs/recording/bough.cast")
export const pictureFile = inRepository("docs/recording/question.svg")

const title =
  "Bough in a terminal: a plan, a worker that was started, and the diff of an edit that waits for the person's y, n or ?"

/** The screen that asks about the edit. */
export const picture = async (cast: Cast): Promise<string> => {
  const { screen } = await Player.play(cast, "question")
  return Svg.of({ title, columns: cast.columns, rows: Cells.parse(screen.trimEnd()) })
}
