/**
 * The fresh context of a tool's code: the capabilities that it declares and the session has, made for this one call,
 * without any service of the dispatcher. A handler cannot reach anything else.
 */
import type { Session } from "@bough/protocol"
import { Capability, Invocation, Progress, type ToolContext } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Scheduler from "effect/Scheduler"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { DecodedCall } from "./Call.ts"
import type { CallGate } from "./CallGate.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import { runOutside } from "./internal/runOutside.ts"
import * as PartialResult from "./PartialResult.ts"
import * as Passage from "./Passage.ts"
import * as Places from "./Places.ts"
import * as TruncateOutput from "./TruncateOutput.ts"
import * as Withheld from "./Withheld.ts"

/** The parts of the context in which a tool's code runs. */
export interface ContextParts {
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly grants: Invocation.Invocation["Service"]["grants"]
  readonly facts: Invocation.Invocation["Service"]["facts"]
  /** Ends the code's use of the capabilities together with its call. */
  readonly gate: CallGate
  /** The context whose clock and tracing are passed on. */
  readonly dispatching: Context.Context<never>
  /** Closed when the code has ended. */
  readonly scope: Scope.Scope
  /** Absent: the code runs no commands that reach a host. */
  readonly admitHost?: ToolContext.AdmitHost
}

/**
 * The services that are passed on: time, scheduling, traces and logs. They give a handler no access to anything outside
 * of its call.
 */
const passedOn: ReadonlyArray<string> = [
  Clock.Clock,
  Scheduler.Scheduler,
  Tracer.Tracer,
  Tracer.ParentSpan,
  Tracer.DisablePropagation,
  Tracer.MinimumTraceLevel,
  References.TracerEnabled,
  References.TracerTimingEnabled,
  References.TracerSpanAnnotations,
  References.TracerSpanLinks,
  References.CurrentLoggers,
  References.CurrentLogAnnotations,
  References.CurrentLogLevel,
  References.CurrentLogSpans,
  References.MinimumLogLevel,
  References.LogToStderr
].map(({ key }) => key)

/** Handler contexts by the context that they derive from, which the calls of a turn share. */
const observing = new WeakMap<Context.Context<never>, Context.Context<never>>()

const observingOf = (dispatching: Context.Context<never>): Context.Context<never> => {
  const known = observing.get(dispatching)
  if (known !== undefined) return known
  const passedServices = passedOn.flatMap((key): ReadonlyArray<readonly [string, unknown]> => {
    const service: unknown = dispatching.mapUnsafe.get(key)
    return service === undefined ? [] : [[key, service]]
  })
  const observed = Context.makeUnsafe(new Map(passedServices))
  observing.set(dispatching, observed)
  return observed
}

/** Makes the context. A declared capability that the session lacks is left out. */
export const make = (call: DecodedCall, caller: DispatchContext, services: ContextParts): Context.Context<never> => {
  const invocation = invocationOf(call, caller, services)
  let context = observingOf(services.dispatching)
  context = Context.addUnsafe(context, Invocation.Invocation.key, shownOf(invocation, call))
  context = Context.addUnsafe(context, Progress.Progress.key, progress(call, caller))
  context = Context.addUnsafe(context, Scope.Scope.key, services.scope)
  const mark = (label: Session.Label): void => void call.learnt.add(label)
  const bounds = {
    ...boundsOf(call, caller),
    ...(services.admitHost === undefined ? {} : { admitHost: services.admitHost })
  }
  for (const capability of services.capabilities) {
    const { key } = capability
    const provided = caller.context.capabilities.get(key)
    if (provided !== undefined) {
      const returns = Capability.isBuiltIn(capability) ? "Data" : "Handles"
      context = Context.addUnsafe(context, key, services.gate.guard(provided.make(invocation, mark, bounds), returns))
    }
  }
  return context
}

/** The parts of an Invocation that are equal in all calls to which one cached result applies. */
const shared: ReadonlySet<PropertyKey> = new Set(["agent", "user", "workspaceRoot", "config", "labels", "grants"])

/** Watches the handler's use of the Invocation: a result that depends on its other parts is not reused. */
const shownOf = (
  invocation: Invocation.Invocation["Service"],
  { caching }: DecodedCall
): Invocation.Invocation["Service"] =>
  caching === undefined
    ? invocation
    : new Proxy(invocation, {
        get: (target, key): unknown => {
          if (!shared.has(key)) caching.reads.noteUncacheable()
          return Reflect.get(target, key)
        }
      })

export const invocationOf = (
  { callKey, isByUser = false, labels, toolCallId }: DecodedCall,
  { invocation }: DispatchContext,
  { facts, grants }: Pick<ContextParts, "facts" | "grants">
): Invocation.Invocation["Service"] => ({ ...invocation, toolCallId, callKey, labels, grants, facts, isByUser })

export const boundsOf = (call: DecodedCall, context: DispatchContext): ToolContext.Bounds => {
  const passage = Passage.passageOf(call, context)
  const withheld = Withheld.withheldOf(call, context)
  const bounds = {
    passage,
    ...(withheld === undefined ? {} : { withheld }),
    ...(Places.areJudged(call.tool, context.policy.rules) ? { judged: call.judged } : {})
  }
  return call.caching === undefined ? bounds : { ...bounds, reads: call.caching.reads }
}

/** Publishes a progress message. A message that is not text, or a percentage out of range, is a bug of the tool. */
const progress = (call: DecodedCall, context: DispatchContext): Progress.Progress["Service"] => ({
  keep: (soFar) => Effect.sync(() => PartialResult.keep(call, soFar)),
  report: (message: unknown, percent?: unknown) => {
    if (typeof message !== "string") return Effect.die(new TypeError("progress is reported as a line of text"))
    if (percent !== undefined && !isPercent(percent)) {
      return Effect.die(new TypeError("the percentage of progress is a number from 0 to 100"))
    }
    const observed = context.observe({
      _tag: "ToolProgressed",
      sessionId: context.invocation.sessionId,
      turn: context.invocation.turn,
      step: context.invocation.step,
      toolCallId: call.toolCallId,
      tool: call.tool.name,
      message: TruncateOutput.shorten(context.redaction.redact(message.toWellFormed()), maxProgressBytes),
      ...(percent === undefined ? {} : { percent })
    })
    return runOutside(observed)
  }
})

const maxProgressBytes = 1024

const isPercent = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 100
