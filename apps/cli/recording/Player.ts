/** Plays a recording in a terminal of its size, up to one of its marks. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Tmux from "../test/program/Tmux.ts"
import * as Cast from "./Cast.ts"

export interface PlayedStory {
  /** The whole output since the start, without blank lines. */
  readonly text: string
  /** The screen at the end, with its colours as escape sequences. */
  readonly screen: string
}

/**
 * A window title that is written at the end, to know when the terminal has processed everything; no recording contains
 * it.
 */
const end = "bough-has-been-played"

export const play = async (cast: Cast.Cast, mark: string): Promise<PlayedStory> => {
  const folder = mkdtempSync(join(tmpdir(), "bough-play-"))
  const file = join(folder, "sent")
  writeFileSync(file, `${Cast.upTo(cast, mark)}\u001B]2;${end}\u001B\\`)
  const command = `stty raw -echo; cat ${Tmux.quote(file)}; exec cat`
  const tmux = Tmux.open({ columns: cast.columns, rows: cast.rows, cwd: folder, command })
  try {
    while (tmux.run("display-message", "-p", "#{pane_title}").trim() !== end) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return { text: Tmux.text(tmux), screen: Tmux.coloured(tmux).replace(/\n$/u, "") }
  } finally {
    tmux.close()
    rmSync(folder, { recursive: true })
  }
}
