/**
 * The fresh context that a tool's code runs under: the capabilities it declared and the session has, made for this one
 * call, and nothing of whoever dispatches. What is not in here cannot be found, by whatever means a handler looks.
 */
import type { Capability } from "@bough/tool"
import { Invocation, Progress } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Decoded } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import { callKey } from "./CallKey.ts"

/** What a piece of a tool's code is given. */
export interface Given {
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly grants: Invocation.Invocation["Service"]["grants"]
  readonly scope: Scope.Scope
  /** Whose clock and tracing are passed on. */
  readonly dispatching: Context.Context<never>
}

/** Time, traces and logs are observed from outside: no handler reaches the world through them. */
const passedOn: ReadonlyArray<string> = [
  Clock.Clock,
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

/** Everything in it; a declared capability that the session lacks is left out. */
export const make = (call: Decoded, caller: Caller, given: Given): Context.Context<never> => {
  const invocation: Invocation.Invocation["Service"] = {
    ...caller.invocation,
    toolCallId: call.toolCallId,
    callKey: callKey(caller.invocation.sessionId, call.toolCallId),
    grants: given.grants
  }
  const services = new Map<string, unknown>([
    [Invocation.Invocation.key, invocation],
    [Progress.Progress.key, progress(call, caller)],
    [Scope.Scope.key, given.scope]
  ])
  for (const { key } of given.capabilities) {
    const provided = caller.context.capabilities.get(key)
    if (provided !== undefined) services.set(key, provided.make(invocation))
  }
  for (const key of passedOn) {
    const service = given.dispatching.mapUnsafe.get(key) as unknown
    if (service !== undefined) services.set(key, service)
  }
  return Context.makeUnsafe(services)
}

const progress = (call: Decoded, caller: Caller): Progress.Progress["Service"] => ({
  report: (message) =>
    caller.observe({
      _tag: "ToolProgressed",
      sessionId: caller.invocation.sessionId,
      turn: caller.invocation.turn,
      step: caller.invocation.step,
      toolCallId: call.toolCallId,
      tool: call.tool.name,
      message: caller.redaction.redact(message)
    })
})
