/** The adapter for a real terminal. */
import * as Effect from "effect/Effect"
import type { Terminal } from "./Terminal.ts"
import { TtyReader, type TtyReaderOptions } from "./TtyReader.ts"

export type TtyTerminalOptions = TtyReaderOptions

export const make = (options: TtyTerminalOptions): Terminal["Service"] => {
  const reader = new TtyReader(options)
  return {
    isInteractive: true,
    readLine: (prompt) =>
      Effect.callback((resume) => {
        reader.askLine(prompt, (line) => resume(Effect.succeed(line)))
        return Effect.sync(() => reader.withdraw("Line"))
      }),
    readHidden: (prompt) =>
      Effect.callback((resume) => {
        reader.askHidden(prompt, (text) => resume(Effect.succeed(text)))
        return Effect.sync(() => reader.withdraw("Hidden"))
      }),
    readKey: (accepted, showKeys) =>
      Effect.callback((resume) => {
        reader.askKey(accepted, showKeys, (key) => resume(Effect.succeed(key)))
        return Effect.sync(() => reader.withdraw("Key"))
      }),
    whileWorking: (listener) =>
      Effect.acquireRelease(
        Effect.sync(() => reader.listen(listener)),
        () => Effect.sync(() => reader.listen(null))
      ),
    close: () => reader.stop()
  }
}
