/** Builders of flags and arguments. An absent value is null; an absent toggle is false, and has no `--no-` form. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | null> =>
  Flag.optional(flag).pipe(Flag.map(Option.getOrNull))

export const optionalText = (name: string, metavar: string, description: string): Flag.Flag<string | null> =>
  optional(Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description)))

/** A flag that may be given several times; empty: it is absent. */
export const repeatedText = (name: string, metavar: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.atLeast(0))

export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

export const argument = (metavar: string, description: string): Argument.Argument<string> =>
  Argument.String(metavar).pipe(Argument.withDescription(description))

/** An argument that names an object; it cannot be empty. */
export const nameArgument = (metavar: string, description: string): Argument.Argument<string> =>
  argument(metavar, description).pipe(
    Argument.filter(
      (value) => value !== "",
      () => description
    )
  )

export const optionalArgument = (metavar: string, description: string): Argument.Argument<string | null> =>
  argument(metavar, description).pipe(Argument.optional, Argument.map(Option.getOrNull))
