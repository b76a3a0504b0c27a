/**
 * Remarks of capabilities on the files that a call has written, such as new problems that a checker found: the model
 * reads them with the call's result. They do not change the outcome; a remark that fails or takes too long is dropped.
 */
import type { Artifact, Session } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AttemptResult } from "./Attempts.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as HandlerContext from "./HandlerContext.ts"
import * as HandlerResult from "./HandlerResult.ts"

const maxMillis = 5000

/** Null: there is no remark. An interruption ends the wait, not the call. */
export const remark = (
  { call, result }: AttemptResult,
  context: DispatchContext,
  restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>
): Effect.Effect<string | null> => {
  if (Result.isFailure(result)) return Effect.succeed(null)
  const remarkers: Array<Remarker> = []
  for (const { afterWrite, capability } of context.context.capabilities.values()) {
    if (afterWrite !== undefined) remarkers.push({ afterWrite, labels: capability?.labels ?? [] })
  }
  const paths = remarkers.length === 0 ? [] : HandlerResult.artifactsOf(result.success).flatMap(pathsOf)
  if (paths.length === 0) return Effect.succeed(null)
  const written = {
    paths,
    invocation: HandlerContext.invocationOf(call, context, call),
    bounds: HandlerContext.boundsOf(call, context)
  }
  const remarks = Effect.forEach(remarkers, (one) => remarkOf(one, written), { concurrency: "unbounded" })
  return Effect.map(Effect.exit(restore(Effect.timeoutOption(remarks, maxMillis))), (exit) => {
    const allRemarks = Exit.isSuccess(exit) ? Option.getOrElse(exit.value, () => []) : []
    const validRemarks = allRemarks.filter(({ text }) => typeof text === "string")
    // The model reads text of that capability, so the session gets its labels.
    for (const { labels } of validRemarks) for (const label of labels) call.learnt.add(label)
    return validRemarks.length === 0 ? null : validRemarks.map(({ text }) => text).join("\n")
  })
}

interface Remarker {
  readonly afterWrite: NonNullable<ToolContext.ProvidedService<unknown>["afterWrite"]>
  readonly labels: ReadonlyArray<Session.Label>
}

const remarkOf = ({ afterWrite, labels }: Remarker, written: Omit<ToolContext.WrittenFiles, "mark">) =>
  Effect.suspend(() => {
    const learnt = new Set(labels)
    return Effect.map(afterWrite({ ...written, mark: (label) => void learnt.add(label) }), (text) => ({
      text,
      labels: learnt
    }))
  })

const pathsOf = (artifact: Artifact.Artifact): ReadonlyArray<string> => {
  switch (artifact._tag) {
    case "FileWritten":
    case "FileDeleted":
    case "DirectoryWritten":
      return [artifact.path]
    case "FileMoved":
      return [artifact.from, artifact.to]
    default:
      return []
  }
}
