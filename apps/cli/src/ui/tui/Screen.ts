/** The components: what is finished above, printed once, and the frame below it with the cursor in it. */
import { Static, Text, useApp, useCursor } from "ink"
import { createElement, Fragment, type ReactElement } from "react"
import { join, type SafeText, text as safe } from "@bough/tui/text/SafeText"
import type { Frame } from "./Frame.ts"

const newline = safe`\n`

/** Rows that are printed together. */
export interface Printed {
  readonly id: number
  readonly text: SafeText
}

export interface Properties {
  readonly printed: ReadonlyArray<Printed>
  readonly frame: Frame
  /** Is handed what gives the terminal away and takes it back. */
  readonly onMount: (suspend: (meanwhile: () => Promise<void>) => Promise<void>) => void
}

/** Every text that is drawn: ink's own component takes any string. */
const rows = (text: SafeText, key: number | null = null): ReactElement =>
  createElement(Text, { key, wrap: "truncate-end" }, text)

const print = ({ id, text }: Printed): ReactElement => rows(text, id)

export const Screen = ({ frame, onMount, printed }: Properties): ReactElement => {
  const { setCursorPosition } = useCursor()
  const { suspendTerminal } = useApp()
  onMount(suspendTerminal)
  setCursorPosition(frame.cursor)
  return createElement(
    Fragment,
    null,
    createElement(Static<Printed>, { items: [...printed], children: print }),
    rows(join(frame.rows, newline))
  )
}
