/** Makes the JavaScript engine prefer a small heap, for a program that stays open for days and mostly waits. */
import { setFlagsFromString } from "node:v8"

/**
 * Collects garbage early instead of letting the heap grow. Without it, the garbage of hundreds of turns stays in memory
 * while the program waits. The engine reads this flag at each collection, so it can be set at run time.
 */
export const preferSmallHeap = (): void => setFlagsFromString("--optimize-for-size")
