/** Keyboard shortcuts that work on every screen, except while the user writes text. */
import { useEffect } from "react"
import { navigate } from "wouter/use-hash-location"

interface Shortcuts {
  readonly openPalette: () => void
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName))

const focus = (selector: string): void => {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    if (element.offsetParent !== null) return element.focus()
  }
}

export const useShortcuts = ({ openPalette }: Shortcuts): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault()
        return openPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
      const act = actions[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [openPalette])
}

const actions: Readonly<Record<string, () => void>> = {
  "/": () => focus("[data-shortcut=search]"),
  n: () => navigate("/"),
  a: () => navigate("/approvals"),
  c: () => focus("#composer")
}
