/** The exit codes of the program, and the one error with which every command fails. */
import { detailsOf, type HostFailure } from "@bough/host/HostFailure"
import * as Schema from "effect/Schema"

export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  /** A call needs an approval, and no terminal can ask for it. */
  needsApproval: 3,
  /** The cost limit is reached. */
  budgetSpent: 4,
  interrupted: 130,
  terminated: 143
} as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/**
 * Ends the program with `code`. `message` null: the error was already reported. `hint` is the next step for the user,
 * or "", and may name a command as one of `bough`: `hintFor` puts the program's own name there. `details` is only shown
 * with `--verbose`.
 */
export class CliFailure extends Schema.TaggedError<CliFailure>()("Stop", {
  code: Schema.Literals([0, 1, 2, 3, 4, 130, 143]),
  message: Schema.NullOr(Schema.String),
  hint: Schema.String,
  details: Schema.String
}) {}

/** The failures of a command: those of the program, and those of the packages that assemble its sessions. */
export type CommandFailure = CliFailure | HostFailure

/** Ends with `code` and prints nothing more. */
export const exitSilently = (code: ExitCode): CliFailure =>
  new CliFailure({ code, message: null, hint: "", details: "" })

/** The command line or a configuration file is wrong. */
export const usage = (message: string, hint: string): CliFailure =>
  new CliFailure({ code: exitCode.usage, message, hint, details: "" })

/** Makes the failure of a valid request that did not succeed. `--verbose` shows `cause`. */
export const failure = (message: string, hint: string, cause?: unknown): CliFailure =>
  new CliFailure({ code: exitCode.failed, message, hint, details: detailsOf(cause) })

/** Returns the hint with `bough` replaced by the program's own name. */
export const hintFor = (name: string, hint: string): string => hint.replaceAll(/(?<=^|")bough(?= )/gu, name)

/** Adds a hint to a failure. */
export const withHint = ({ code, details, hint, message }: CliFailure, more: string): CliFailure =>
  new CliFailure({ code, message, hint: hint === "" ? more : `${hint}; ${more}`, details })
