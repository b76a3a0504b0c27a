/** The row at the end of a turn: its active time, and the usage of its replies. Pure. */
import * as Figures from "../../format/Figures.ts"
import type { Block } from "./Block.ts"
import { formatElapsed } from "./elapsed.ts"
import type { Transcript } from "./Transcript.ts"

export const block = ({ turn: { activeMillis, usage } }: Transcript): Block => ({
  _tag: "Ended",
  text: `${formatElapsed(activeMillis)} · ${Figures.usage(usage)}`
})
