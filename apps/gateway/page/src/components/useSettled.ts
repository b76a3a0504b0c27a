/** A value that follows another one after a pause without changes, such as the text of a search. */
import { useEffect, useState } from "react"

export const useSettled = (value: string, pauseMillis = 200): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMillis)
    return () => clearTimeout(timer)
  }, [value, pauseMillis])
  return settled
}
