/** The components: what is finished above, printed once, and the frame below it with the cursor in it. */
import { Static, Text, useApp, useCursor } from "ink"
import { createElement, Fragment, type ReactElement } from "react"
import type { Frame } from "./Frame.ts"

/** Rows that are printed together. */
export interface Printed {
  readonly id: number
  readonly text: string
}

export interface Properties {
  readonly printed: ReadonlyArray<Printed>
  readonly frame: Frame
  /** Is handed what gives the terminal away and takes it back. */
  readonly onMount: (suspend: (meanwhile: () => Promise<void>) => Promise<void>) => void
}

const print = ({ id, text }: Printed): ReactElement => createElement(Text, { key: id, wrap: "truncate-end" }, text)

export const Screen = ({ frame, onMount, printed }: Properties): ReactElement => {
  const { setCursorPosition } = useCursor()
  const { suspendTerminal } = useApp()
  onMount(suspendTerminal)
  setCursorPosition(frame.cursor)
  return createElement(
    Fragment,
    null,
    createElement(Static<Printed>, { items: [...printed], children: print }),
    createElement(Text, { wrap: "truncate-end" }, frame.rows.join("\n"))
  )
}
