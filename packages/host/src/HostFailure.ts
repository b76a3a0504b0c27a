/**
 * The error of the package: a sentence, the next step for the user, and whether the request or the environment is at
 * fault.
 */
import * as Schema from "effect/Schema"
import { inspect } from "node:util"

/** The next step after a failure, which each app offers in its own way, such as by a command or on a page. */
export const NextStep = Schema.Literals([
  "CheckInstallation",
  "EnableUndo",
  "ListApprovals",
  "ListConfigurationKeys",
  "ListNotes",
  "ListRules",
  "ListSessions",
  "ListTools",
  "LocateConfiguration",
  "ShowChanges",
  "StartSession"
])
export type NextStep = typeof NextStep.Type

/**
 * `reason`: `Invalid` means that the request or a configuration file is wrong, `Failed` that it was valid but did not
 * succeed. `hint` is the next step for the user, or ""; the app adds its own words for `nextStep`; `details` is for a
 * log or a verbose mode.
 */
export class HostFailure extends Schema.TaggedError<HostFailure>()("HostFailure", {
  reason: Schema.Literals(["Invalid", "Failed"]),
  message: Schema.String,
  hint: Schema.String,
  nextStep: Schema.NullOr(NextStep),
  details: Schema.String
}) {}

/** Makes the failure of a wrong request or a wrong configuration file. */
export const invalid = (message: string, hint: string, nextStep: NextStep | null = null): HostFailure =>
  new HostFailure({ reason: "Invalid", message, hint, nextStep, details: "" })

/** Makes the failure of a valid request that did not succeed; `cause` becomes the details. */
export const failed = (message: string, hint: string, cause?: unknown): HostFailure =>
  new HostFailure({ reason: "Failed", message, hint, nextStep: null, details: detailsOf(cause) })

/** Adds a hint to a failure. */
export const withHint = ({ details, hint, message, nextStep, reason }: HostFailure, more: string): HostFailure =>
  new HostFailure({ reason, message, hint: hint === "" ? more : `${hint}; ${more}`, nextStep, details })

/** Adds a next step to a failure. */
export const withNextStep = ({ details, hint, message, reason }: HostFailure, nextStep: NextStep): HostFailure =>
  new HostFailure({ reason, message, hint, nextStep, details })

/** Describes a cause with its stack and its own causes; "" for none. */
export const detailsOf = (cause: unknown): string => {
  if (cause === undefined) return ""
  if (!(cause instanceof Error)) return inspect(cause)
  const causeText = cause.stack ?? cause.message
  return cause.cause === undefined ? causeText : `${causeText}\ncaused by: ${detailsOf(cause.cause)}`
}
