/**
 * Reads an image from the desktop's clipboard with the program that can read it there: `wl-paste`, `xclip`, or
 * `osascript` on macOS.
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CliFailure, failure, usage } from "../CliFailure.ts"

type Variables = Readonly<Record<string, string | undefined>>

interface Reader {
  readonly command: string
  readonly arguments: ReadonlyArray<string>
  /** Extracts the bytes of the image from the program's output. */
  readonly decode: (printed: Buffer) => Buffer
}

const asPrinted = (printed: Buffer): Buffer => printed

/** AppleScript prints data as `«data PNGf89504E47…»`. */
const fromAppleScript = (printed: Buffer): Buffer =>
  Buffer.from(/«data PNGf([\dA-F]+)»/u.exec(printed.toString("utf8"))?.[1] ?? "", "hex")

/** The reader of this desktop; null: no reader is known. */
export const readerOf = (variables: Variables, platform: NodeJS.Platform): Reader | null => {
  if (platform === "darwin") {
    return {
      command: "osascript",
      arguments: ["-e", "get the clipboard as «class PNGf»"],
      decode: fromAppleScript
    }
  }
  if (variables["WAYLAND_DISPLAY"]) {
    return { command: "wl-paste", arguments: ["--no-newline", "--type", "image/png"], decode: asPrinted }
  }
  return variables["DISPLAY"]
    ? { command: "xclip", arguments: ["-selection", "clipboard", "-t", "image/png", "-o"], decode: asPrinted }
    : null
}

const maxPrinted = 32 * 1024 * 1024
const maxMillis = 5000

/** Returns the output of the program; null: it failed, so the clipboard has no image. */
const run = (
  { arguments: readerArguments, command }: Reader,
  variables: Variables
): Effect.Effect<Buffer | null, CliFailure> =>
  Effect.callback((resume) => {
    const options = { encoding: "buffer", env: variables, maxBuffer: maxPrinted, timeout: maxMillis } as const
    const child = execFile(command, [...readerArguments], options, (error, printed) => {
      if (error !== null && "code" in error && error.code === "ENOENT") {
        return resume(Effect.fail(usage(`${command} is not installed; it reads images from the clipboard`, "")))
      }
      resume(Effect.succeed(error === null ? printed : null))
    })
    return Effect.sync(() => void child.kill())
  })

/** Stores pasted images in temporary files until the scope closes. */
export const make = Effect.fnUntraced(function* (variables: Variables, platform: NodeJS.Platform = process.platform) {
  let directory: string | null = null
  let count = 0
  yield* Effect.addFinalizer(() =>
    directory === null ? Effect.void : Effect.promise(() => rm(directory ?? "", { recursive: true, force: true }))
  )
  /** Saves the image in the clipboard to a file, and returns its path. */
  const paste = Effect.gen(function* (): Effect.gen.Return<string, CliFailure> {
    const reader = readerOf(variables, platform)
    if (reader === null) return yield* usage("no desktop clipboard is available", "")
    const printed = yield* run(reader, variables)
    const bytes = printed === null ? Buffer.alloc(0) : reader.decode(printed)
    if (bytes.length === 0) return yield* usage("the clipboard has no image", "")
    return yield* Effect.tryPromise({
      try: async () => {
        directory ??= await mkdtemp(join(tmpdir(), "bough-pasted-"))
        const file = join(directory, `clipboard-${++count}.png`)
        await writeFile(file, bytes, { mode: 0o600 })
        return file
      },
      catch: (cause) => failure(`cannot save the clipboard's image: ${String(cause)}`, "")
    })
  })
  return { paste }
})
