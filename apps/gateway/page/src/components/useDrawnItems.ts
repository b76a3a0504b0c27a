/** The part of a long list of items that is drawn: from the first drawn item to the newest one. */
import { type RefObject, useLayoutEffect, useRef, useState } from "react"

/** The number of items that are drawn at first, and with each step to earlier ones. */
const step = 120

interface DrawnItems {
  /** The index of the first drawn item. */
  readonly from: number
  readonly drawEarlier: () => void
}

/** The first drawn item, and its distance from the top of the window. */
interface Anchor {
  readonly element: Element
  readonly top: number
}

/** Keeps the visible items in place while earlier ones are added above them. */
export const useDrawnItems = (itemCount: number, scroller: RefObject<HTMLElement | null>): DrawnItems => {
  // Set when the first items have come; those that follow are drawn too.
  const [chosen, setChosen] = useState<number | null>(null)
  if (chosen === null && itemCount > 0) setChosen(Math.max(0, itemCount - step))
  const anchor = useRef<Anchor | null>(null)
  const from = Math.min(chosen ?? 0, Math.max(0, itemCount - 1))
  useLayoutEffect(() => {
    if (scroller.current === null || anchor.current === null) return
    const { element, top } = anchor.current
    scroller.current.scrollTop += element.getBoundingClientRect().top - top
    anchor.current = null
  }, [from, scroller])
  const drawEarlier = (): void => {
    if (from === 0 || anchor.current !== null) return
    const element = scroller.current?.querySelector(".item") ?? null
    if (element !== null) anchor.current = { element, top: element.getBoundingClientRect().top }
    setChosen(Math.max(0, from - step))
  }
  return { from, drawEarlier }
}
