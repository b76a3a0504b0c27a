/** A host whose packs need a capability that neither Bough nor the app provides does not compile. */
import { AgentHost } from "@bough/host"
import type { HostEnvironment } from "@bough/host/config/Settings"
import { Capability, SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

class Till extends Capability.make("acme/Till", { floor: "System", reach: "Confined" })<
  Till,
  { readonly open: Effect.Effect<void> }
>() {}

const openTill = Tool.make("open_till", {
  version: 1,
  description: "Opens the till",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Till],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () =>
    Effect.as(
      Effect.flatMap(Till, ({ open }) => open),
      Tool.result({ output: {}, display: "Opened" })
    )
})

declare const environment: HostEnvironment
const plain = { main: SessionKind.Main.tools(ToolPack.make()), worker: SessionKind.Worker.tools(ToolPack.make()) }
const packs = { main: SessionKind.Main.with(Till).tools(ToolPack.make(openTill)), worker: plain.worker }
const till = Capability.provide(Till, { service: { open: Effect.void } })

export const known: AgentHost.AgentHost = AgentHost.make({ name: "shop", environment, packs: plain })
export const provided: AgentHost.AgentHost = AgentHost.make({ name: "shop", environment, packs, provide: [till] })
// @ts-expect-error -- the packs need the till, and nothing provides it
export const missing = AgentHost.make({ name: "shop", environment, packs })
const branches = { ...plain, branch: SessionKind.Branch.with(Till).tools(ToolPack.make(openTill)) }
export const branched: AgentHost.AgentHost = AgentHost.make({
  name: "shop",
  environment,
  packs: branches,
  provide: [till]
})
// @ts-expect-error -- the same of the packs of a Branch
export const missingInBranch = AgentHost.make({ name: "shop", environment, packs: branches })
