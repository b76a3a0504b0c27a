/**
 * Keeps content out of exported spans. Code that runs inside a span, such as a handler, can add any text to it by
 * attributes, logs and errors. An exported span therefore contains only attributes with known names, and the kind of an
 * error without its message.
 */
import { Trace } from "@bough/dispatch"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** A tracer that passes only Bough's own spans on to `exporter`, without content. */
export const make = (exporter: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) =>
      Trace.isOwn(options)
        ? withoutContent(exporter.span({ ...options, parent: exportedParent(options.parent) }))
        : new Tracer.NativeSpan(options)
  })

/** The nearest enclosing span that is exported, by this process or by its caller. */
const exportedParent = (parent: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> => {
  let above = parent
  while (Option.isSome(above) && above.value._tag === "Span" && !Trace.isOwn(above.value)) above = above.value.parent
  return above
}

const ownKey = /^(?:gen_ai|bough|error)\./

const withoutContent = (span: Tracer.Span): Tracer.Span => {
  const attribute = span.attribute.bind(span)
  const end = span.end.bind(span)
  span.attribute = (key, value) => {
    if (ownKey.test(key)) attribute(key, value)
  }
  // A log line becomes an event of the enclosing span.
  span.event = () => {}
  span.end = (endTime, exit) => {
    const kind = errorKind(exit)
    if (kind === null) return end(endTime, exit)
    attribute("error.type", kind)
    end(endTime, Exit.fail(nameOnly(kind)))
  }
  return span
}

/** The tag of a failure; null for a success and an interruption. */
const errorKind = (exit: Exit.Exit<unknown, unknown>): string | null => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return null
  const error = Cause.squash(exit.cause)
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  // The conventions prescribe this name for an error of unknown kind.
  return typeof tag === "string" && /^\w{1,64}$/.test(tag) ? tag : "_OTHER"
}

const nameOnly = (kind: string): Error => {
  const error = new Error(kind)
  error.name = kind
  error.stack = kind
  return error
}
