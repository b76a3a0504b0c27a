/** Moves the focus to the screen after a change of the address that has removed the focused element. */
import { useEffect } from "react"
import { useLocation } from "wouter"

export const useLostFocus = (): void => {
  const [location] = useLocation()
  useEffect(() => {
    // A window that closes returns the focus after this.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [location])
}
