/**
 * Spans of what a session does, by name, with attributes after OpenTelemetry's conventions for generative AI. They say who,
 * which and how much, never what was said: arguments, results and messages stay in the journal. Without a tracer nothing
 * is made, and whoever asks once a session pays nothing for it at a step.
 */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { DispatchContext } from "./DispatchContext.ts"

/** Whether a tracer is set: Effect's own keeps spans in memory and hands them to nobody. */
export const isOn: Effect.Effect<boolean> = Effect.map(Effect.tracer, (tracer) => tracer !== Tracer.nativeTracer)

export type Attributes = Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>

export interface SpanOptions {
  readonly isTraced: boolean
  readonly attributes: () => Attributes
  readonly kind?: Tracer.SpanKind
}

/** The effect in a span of that name, where anybody traces. */
export const span = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  { attributes, isTraced, kind = "internal" }: SpanOptions
): Effect.Effect<A, E, R> =>
  isTraced
    ? (Effect.suspend(() => Effect.withSpan(effect, name, { attributes: attributes(), kind })) as Effect.Effect<
        A,
        E,
        R
      >)
    : effect

/** Adds to the span that the effect runs in what is known only now. */
export const annotate = (isTraced: boolean, attributes: () => Attributes): Effect.Effect<void> =>
  isTraced ? Effect.suspend(() => Effect.annotateCurrentSpan(attributes())) : Effect.void

/** What every span of a call says. */
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
