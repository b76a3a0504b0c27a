/**
 * Spans by name, with attributes after OpenTelemetry's conventions for generative AI. They contain names and counts,
 * never content: arguments, results and messages stay in the journal. Without a tracer no span is made. A session
 * checks this once, so that its steps have no cost.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { DispatchContext } from "./DispatchContext.ts"

/** True if a tracer is set; Effect's default tracer, which exports nothing, does not count. */
export const isOn: Effect.Effect<boolean> = Effect.map(Effect.tracer, (tracer) => tracer !== Tracer.nativeTracer)

export type Attributes = Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>

export interface SpanOptions {
  readonly isTraced: boolean
  readonly attributes: () => Attributes
  readonly kind?: Tracer.SpanKind
}

const IsOwnSpan = Context.Reference<boolean>("@bough/dispatch/Trace/Own", { defaultValue: () => false })

const ownAnnotation = Context.make(IsOwnSpan, true)

/** True for a span that `span` made: spans of libraries and handlers can contain content. */
export const isOwn = ({ annotations }: Pick<Tracer.Span, "annotations">): boolean => Context.get(annotations, IsOwnSpan)

/** Wraps the effect in a span of that name, if a tracer is set. */
export const span = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  { attributes, isTraced, kind = "internal" }: SpanOptions
): Effect.Effect<A, E, R> =>
  isTraced
    ? (Effect.suspend(() =>
        Effect.withSpan(effect, name, { attributes: attributes(), kind, annotations: ownAnnotation })
      ) as Effect.Effect<A, E, R>)
    : effect

/** Adds attributes that become known late to the span in which the effect runs. */
export const annotate = (isTraced: boolean, attributes: () => Attributes): Effect.Effect<void> =>
  isTraced ? Effect.suspend(() => Effect.annotateCurrentSpan(attributes())) : Effect.void

/** The attributes of every span of a call. */
export const callAttributes = (
  tool: string,
  toolCallId: string,
  { invocation: { agent, sessionId } }: Pick<DispatchContext, "invocation">
): Attributes => ({
  "gen_ai.tool.name": tool,
  "gen_ai.tool.call.id": toolCallId,
  "gen_ai.agent.name": agent,
  "gen_ai.conversation.id": sessionId
})
