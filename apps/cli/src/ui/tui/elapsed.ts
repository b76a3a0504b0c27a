/** Durations as users read them. Pure. */
import { type SafeText, text } from "@bough/tui/text/SafeText"

/** `7 s`, `2 min 05 s`, `1 h 02 min`. */
export const formatElapsed = (millis: number): SafeText => {
  const seconds = Math.floor(millis / 1000)
  const two = (value: number): SafeText => text`${value < 10 ? "0" : ""}${value}`
  if (seconds < 60) return text`${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? text`${minutes} min ${two(seconds % 60)} s`
    : text`${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}
