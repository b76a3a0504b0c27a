/** Runs one recorded call again: through the dispatcher, with today's tools, rules and reach. Nothing is recorded. */
import { type Call, Dispatcher, Gate, Ledger } from "@bough/dispatch"
import type { Settings } from "@bough/host/config/Settings"
import type { Memories } from "@bough/host/memory/Memories"
import * as DetachedCaller from "@bough/host/session/DetachedCaller"
import * as KindTools from "@bough/host/session/KindTools"
import * as SessionAgent from "@bough/host/session/SessionAgent"
import { Canonical, Entry, Session, ToolError } from "@bough/protocol"
import type { CallRecord } from "@bough/receipts"
import type { Agent, BlobStore } from "@bough/runtime"
import { Capability, ToolContext } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CommandFailure } from "../CliFailure.ts"
import type { Program } from "../Program.ts"

/** The full output of the rerun, or the reason why the call was not run. */
export type RerunResult =
  | { readonly _tag: "Ran"; readonly output: string }
  | { readonly _tag: "NotRun"; readonly reason: string }

export interface Rerun {
  /** Records the kind of each session. */
  readonly see: (entry: Entry.Entry) => void
  readonly run: (
    call: CallRecord.CallRecord,
    then: { readonly arguments: string; readonly version: number }
  ) => Effect.Effect<RerunResult, CommandFailure, Scope.Scope | Memories>
}

export const make = (program: Program, settings: Settings, blobs: BlobStore.BlobStore["Service"]): Rerun => {
  const registry = KindTools.registryOf(program.packs)
  const kinds = new Map<Session.SessionId, Session.Kind>()
  const agents = new Map<Session.Kind, Agent.Agent>()
  const agentOf = Effect.fnUntraced(function* (kind: Session.Kind) {
    const known = agents.get(kind)
    if (known !== undefined) return known
    const newAgent = yield* SessionAgent.make(program, settings, { kind })
    agents.set(kind, newAgent)
    return newAgent
  })
  return {
    see: ({ body, sessionId }) => {
      if (body._tag === "SessionOpened") kinds.set(sessionId, body.kind)
    },
    run: Effect.fnUntraced(function* (call, then) {
      const tool = registry.get(call.tool)
      if (tool === undefined) return notRun("its tool is not compiled in, or needs a session")
      if (tool.replay !== "Safe") return notRun(`its tool is not safe to repeat (${tool.replay})`)
      if (tool.version !== then.version) return notRun(`version ${then.version} is now ${tool.version}`)
      const agent = yield* agentOf(kinds.get(call.sessionId) ?? "Main")
      const spilled = new Map<string, string>()
      const context = ToolContext.provide(agent.context, Capability.SpilledOutput, ToolContext.constant(blobsOf(blobs)))
      const caller = DetachedCaller.caller(
        { ...agent, context },
        { sessionId: call.sessionId, sessionPath: call.sessionPath, turn: call.turn ?? 0, step: call.step ?? 0 }
      )
      const { labels, tool: name, toolCallId } = call
      const requested: Call.RequestedCall = { toolCallId, name, arguments: then.arguments, labels, prior: null }
      const ended = yield* Dispatcher.dispatch(requested, caller).pipe(
        Effect.provideContext(ports(call, spilled)),
        Effect.catchTag("NotRecorded", Effect.die)
      )
      return rerunResultOf(ended, spilled)
    })
  }
}

const notRun = (reason: string): RerunResult => ({ _tag: "NotRun", reason })

const rerunResultOf = (ended: Call.DispatchResult, spilled: ReadonlyMap<string, string>): RerunResult => {
  if (ended._tag === "Parked") return notRun(`it needs an approval now: ${ended.request.reason}`)
  const { outcome } = ended
  if (outcome._tag === "Succeeded") {
    return { _tag: "Ran", output: spilled.get(outcome.outputBlob ?? "") ?? outcome.output }
  }
  const reason = Entry.failureText(outcome)
  return outcome._tag === "Failed" && outcome.error._tag !== "PermissionDenied"
    ? { _tag: "Ran", output: `${outcome.error._tag}: ${reason}` }
    : notRun(reason)
}

/** Denies every approval, and captures only the output that is compared. */
const ports = ({ sessionPath }: CallRecord.CallRecord, spilled: Map<string, string>) =>
  Context.make(Gate.Gate, {
    ask: (call, preview, { reason }) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        _tag: "Parked" as const,
        request: Gate.requestOf(call, {
          approvalId: Session.ApprovalId.make(`replay ${call.toolCallId}`),
          sessionPath,
          preview,
          reason,
          askedAtMillis: now,
          expiresAtMillis: now
        })
      })),
    lapse: () => Effect.void
  }).pipe(
    Context.add(Ledger.Ledger, {
      started: () => Effect.void,
      secure: Effect.void,
      ended: () => Effect.void,
      spill: (bytes) =>
        Effect.sync(() => {
          const digest = Canonical.digest(bytes)
          spilled.set(digest, new TextDecoder().decode(bytes))
          return digest
        })
    })
  )

/** The user who replays a session owns all of its descendants. */
const blobsOf = (blobs: BlobStore.BlobStore["Service"]) => ({
  read: (digest: string) =>
    Effect.mapError(blobs.get(digest), ({ message }) => new ToolError.ExecutionError({ message })).pipe(
      Effect.flatMap((bytes) =>
        bytes === null
          ? Effect.fail(new ToolError.ExecutionError({ message: `this session has no output ${digest}` }))
          : Effect.succeed(bytes)
      )
    )
})
