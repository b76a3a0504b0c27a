/**
 * Runs a decided call of a tool that declares `cache`, or answers it with the recorded result of an equal call. Tiers,
 * rules, approvals and taint were decided before; only the handler is skipped. Loaded with the first such call.
 */
import { Canonical, type Entry } from "@bough/protocol"
import type { Capability } from "@bough/tool"
import type { ReadFact, ReadNotes } from "@bough/tool/ReadNotes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Attempts from "./Attempts.ts"
import type { CallCache, PreparedCall } from "./Call.ts"
import type { CallAborted } from "./CallAborted.ts"
import type { CallConclusion } from "./CallConclusion.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import type { Ledger, NotRecorded } from "./Ledger.ts"
import * as ResultCache from "./ResultCache.ts"

type AttemptEffect = Effect.Effect<Attempts.AttemptResult, CallAborted | NotRecorded, Ledger>

/** Runs or answers a call, with the contract of `Attempts.run`. */
export const run = (
  progress: Attempts.Progress,
  context: DispatchContext,
  restore: Attempts.Restore
): AttemptEffect => {
  const { call } = progress
  const { results } = context
  if (results === undefined || !isEligible(call, context)) return Attempts.run(progress, context, restore)
  const key = keyOf(call, context)
  return Clock.clockWith((clock) => {
    const startedAtNanos = clock.monotonicTimeNanosUnsafe()
    const found = ResultCache.find(results, key, startedAtNanos)
    const fresh: AttemptEffect = Effect.suspend(() => {
      progress.call = { ...call, caching: makeCallCache(call, context, { results, key, startedAtNanos }) }
      return Attempts.run(progress, context, restore)
    })
    if (found === null || holdsSecret(found, context)) return fresh
    return Effect.flatMap(restore(hold(found.facts)), (holds): AttemptEffect => {
      if (!holds) {
        ResultCache.drop(results, key)
        return fresh
      }
      return Effect.succeed(answerFromCache(call, found))
    })
  })
}

/**
 * True for a first attempt of a ReadOnly, Safe tool without grants or an approval, whose capabilities all record their
 * reads.
 */
const isEligible = ({ approval, attempt, authority, grants, tier, tool }: PreparedCall, context: DispatchContext) =>
  tier === "ReadOnly" &&
  tool.replay === "Safe" &&
  attempt === 1 &&
  approval === null &&
  authority._tag !== "User" &&
  grants.length === 0 &&
  tool.capabilities.every(({ key }) => context.context.capabilities.get(key)?.notesReads === true)

/** Numbers services by identity, so that equal keys mean the same service. */
const services = new WeakMap<object, number>()
let lastService = 0

const serviceOf = ({ key }: Capability.Any, { context }: DispatchContext): number => {
  const make: object | undefined = context.capabilities.get(key)?.make
  if (make === undefined) return 0
  const known = services.get(make)
  if (known !== undefined) return known
  services.set(make, ++lastService)
  return lastService
}

/** Makes the key: the call, and everything of its session that could change its result. */
const keyOf = (call: PreparedCall, context: DispatchContext): string => {
  const { invocation, policy } = context
  const { tool } = call
  return Canonical.digest(
    JSON.stringify([
      [tool.name, tool.version, call.canonicalArguments],
      [invocation.agent, invocation.user, invocation.workspaceRoot, context.context.kind],
      tool.capabilities.map((capability) => serviceOf(capability, context)),
      call.labels.toSorted(),
      // Rules withhold paths and limit the hosts that requests may be redirected to.
      policy.rules.map(({ text }) => text)
    ])
  )
}

/** True if all facts are unchanged. They are checked one after the other, up to the first changed one. */
const hold = (facts: ReadonlyArray<ReadFact>): Effect.Effect<boolean> =>
  Effect.catchDefect(
    Effect.reduce(
      facts,
      () => true,
      (holds, fact) => (holds ? fact.holds : Effect.succeed(false))
    ),
    () => Effect.succeed(false)
  )

/** True if a value in the result has become known as a secret since the result was recorded. */
const holdsSecret = ({ concluded: { outcome } }: ResultCache.CachedResult, { redaction }: DispatchContext): boolean =>
  outcome._tag !== "Succeeded" ||
  [outcome.output, outcome.text ?? "", outcome.display, outcome.details ?? ""].some((text) =>
    redaction.holdsSecret(text)
  )

/**
 * Answers with the recorded result without its artifacts: this call sent and wrote nothing, so they belong to the call
 * that ran.
 */
const answerFromCache = (call: PreparedCall, found: ResultCache.CachedResult): Attempts.AttemptResult => {
  for (const label of found.labels) call.learnt.add(label)
  for (const [place, rule] of found.withheld) call.withheld.set(place, rule)
  return {
    call: { ...call, cached: found.source },
    result: Result.succeed({ output: null, display: "" }),
    recorded: { ...found.concluded, artifacts: [] }
  }
}

interface CacheSlot {
  readonly results: ResultCache.ResultCache
  readonly key: string
  readonly startedAtNanos: bigint
}

const makeCallCache = (
  call: PreparedCall,
  context: DispatchContext,
  { key, results, startedAtNanos }: CacheSlot
): CallCache => {
  const facts: Array<ReadFact> = []
  let isComplete = true
  const reads: ReadNotes = {
    note: (fact) => void facts.push(fact),
    noteUncacheable: () => {
      isComplete = false
    }
  }
  const keep = (concluded: CallConclusion): void => {
    const { outcome } = concluded
    if (!isComplete || outcome._tag !== "Succeeded" || outcome.media.length > 0) return
    const bytes = sizeOf(outcome)
    if (bytes > ResultCache.maxResultBytes) return
    const { sessionId } = context.invocation
    ResultCache.keep(results, key, {
      concluded,
      source: { sessionId, toolCallId: call.toolCallId },
      labels: [...call.learnt],
      withheld: [...call.withheld],
      facts,
      startedAtNanos,
      bytes
    })
  }
  return { reads, keep }
}

const sizeOf = ({ details, display, found, output, text }: Entry.SuccessOutcome): number =>
  2 * [output, text ?? "", display, details ?? "", ...(found ?? [])].reduce((sum, { length }) => sum + length, 0)
