/**
 * Writes log lines as JSON, without content: annotations come from the server itself, and only the name and stack
 * frames of an error are logged.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Schema from "effect/Schema"

export const LogLevel = Schema.Literals(["debug", "info", "warning", "error", "off"])
export type LogLevel = typeof LogLevel.Type

const levels = { debug: "Debug", info: "Info", warning: "Warn", error: "Error", off: "None" } as const

/** Returns the name of an error and its stack frames. */
const errorOf = (cause: Cause.Cause<unknown>): { readonly name: string; readonly at: ReadonlyArray<string> } => {
  const error = Cause.squash(cause)
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  const name = typeof tag === "string" ? tag : error instanceof Error ? error.name : typeof error
  const stack = error instanceof Error ? (error.stack ?? "") : ""
  return { name, at: stack.split("\n").flatMap((line) => (/^\s+at /u.test(line) ? [line.trim()] : [])) }
}

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .filter((part): part is string | number => typeof part === "string" || typeof part === "number")
    .join(" ")

/** Makes a logger that passes each line to `write`, which adds the line end. */
export const make = (write: (line: string) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    write(
      JSON.stringify({
        at: date.toISOString(),
        level: logLevel.toLowerCase(),
        message: textOf(message),
        ...fiber.getRef(References.CurrentLogAnnotations),
        ...(cause.reasons.length === 0 ? {} : { error: errorOf(cause) })
      })
    )
  })

/** True if each request is logged; programs that run the server have their own log. */
export const LogsRequests = Context.Reference<boolean>("@bough/gateway/LogsRequests", { defaultValue: () => false })

/** Replaces the loggers of everything that runs in the layer. */
export const layer = (level: LogLevel, write: (line: string) => void): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([make(write)]),
    Layer.succeed(References.MinimumLogLevel, levels[level]),
    Layer.succeed(LogsRequests, level !== "off")
  )
