/** Assembles the stream of one reply within the bounds of a reply; a malformed part fails it. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelError, ModelPart, Prompt } from "../ports/Model.ts"
import * as ModelParts from "../ports/ModelParts.ts"
import * as Reply from "../ports/Reply.ts"
import * as ModelCaller from "./ModelCaller.ts"
import * as ReplyBounds from "./ReplyBounds.ts"
import * as ReplyFaults from "./ReplyFaults.ts"

export interface ReceivedReply {
  readonly reply: Reply.ReplyState
  readonly show: (part: ModelPart) => Effect.Effect<void>
}

/** Streams the reply into `reply`, which has no end if the stream broke off. */
export const receiveParts = (
  caller: ModelCaller.ModelCaller,
  prompt: Prompt,
  { reply, show }: ReceivedReply
): Effect.Effect<void, ModelError> => {
  const meter = ReplyBounds.start()
  const take = (received: ModelPart): Effect.Effect<void, ModelError> => {
    const part = ModelParts.read(received)
    if (part?._tag === "Malformed") return Effect.fail(ReplyFaults.malformed(caller.model.name, part.fault))
    const exceeded = ReplyBounds.count(meter, part)
    if (exceeded !== null) return Effect.fail(ReplyFaults.tooLarge(caller.model.name, exceeded))
    if (part === null) return Effect.void
    Reply.append(reply, part)
    return part._tag === "End" && part !== received ? oddCounts(caller, received) : show(part)
  }
  /** Adds the parts of a chunk in order; most are not shown. */
  const takeFrom = (parts: ReadonlyArray<ModelPart>, from: number): Effect.Effect<void, ModelError> => {
    for (let index = from; index < parts.length; index++) {
      const outcome = take(parts[index])
      if (outcome === Effect.void) continue
      return index + 1 === parts.length ? outcome : Effect.flatMap(outcome, () => takeFrom(parts, index + 1))
    }
    return Effect.void
  }
  return Stream.runForEachArray(caller.model.stream(prompt), (parts) => takeFrom(parts, 0))
}

const oddCounts = (caller: ModelCaller.ModelCaller, end: ModelPart): Effect.Effect<void> => {
  const oddity = ModelParts.impossibleUsage({ ...end })
  return oddity === null ? Effect.void : ModelCaller.notice(caller, ModelCaller.reportImpossibleUsage(caller, oddity))
}
