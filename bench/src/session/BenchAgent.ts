/** The agent of the measured sessions with the given tools, and a channel without a listener. */
import type { Session } from "@bough/protocol"
import { Agent, type Channel } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import type { SessionKind } from "@bough/tool"
import * as Effect from "effect/Effect"

/** Every tool of the pack is declared from the start, unless `coreTools` names fewer. */
export const make = (
  kind: Session.Kind,
  pack: SessionKind.KindTools["pack"],
  coreTools: ReadonlyArray<string> = Object.keys(pack.tools)
): Agent.Agent =>
  SampleAgent.make(
    { kind, pack },
    { tools: { core: new Set(coreTools) }, limits: { ...Agent.defaultLimits, maxSteps: Number.MAX_SAFE_INTEGER } }
  )

export const quiet: Channel.Channel["Service"] = { name: "bench", ask: null, publish: () => Effect.void }
