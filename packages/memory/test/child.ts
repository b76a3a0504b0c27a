/** The programs beside these tests, as processes of their own. */
import { ChildProcess } from "@bough/testing"

export const start = ChildProcess.startBeside(import.meta.url)
export const { lines } = ChildProcess
export type Child = ChildProcess.Child
