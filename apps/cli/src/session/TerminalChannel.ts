/** The terminal as a session's channel: asks the user for approvals, and shows events. */
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import type { Settings } from "@bough/host/config/Settings"
import { registryOf } from "@bough/host/session/KindTools"
import type { Ports as McpPorts } from "@bough/mcp/ports"
import type { Event } from "@bough/protocol"
import { type Channel, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Program } from "../Program.ts"
import * as AskPerson from "../ui/plain/AskPerson.ts"

export interface EventDisplay {
  readonly show: (event: Event.Event) => void
  /** Pauses other output while a question is on the screen. */
  readonly hold: () => void
  readonly release: () => void
}

export const terminal = (
  program: Program,
  settings: Settings,
  showing: EventDisplay
): Effect.Effect<TerminalChannel, never, SessionStore.SessionStore> =>
  Effect.map(SessionStore.SessionStore, (store) => channelOf(program, settings, { showing, store }))

interface Ports {
  readonly showing: EventDisplay
  readonly store: SessionStore.SessionStore["Service"]
}

export type TerminalChannel = Channel.Channel["Service"] & {
  /** Shows what an MCP server asks the user for; null: no user is at the terminal. */
  readonly elicit: NonNullable<McpPorts["elicit"]> | null
}

// Loaded when a server asks for the first time.
const askForm = Effect.promise(() => import("../ui/plain/AskForm.ts"))

const channelOf = (program: Program, settings: Settings, { showing, store }: Ports): TerminalChannel => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  return {
    name: "terminal",
    elicit: program.terminal.isInteractive
      ? (request) =>
          Effect.acquireUseRelease(
            Effect.sync(showing.hold),
            () => Effect.flatMap(askForm, ({ ask }) => ask(program, request)),
            () => Effect.sync(showing.release)
          ).pipe((asked) => oneAtATime.withPermit(asked))
      : null,
    readers: "owner",
    ask: program.terminal.isInteractive
      ? AskPerson.make({
          terminal: program.terminal,
          output: program.output,
          principal: settings.environment.user ?? "terminal",
          registry: registryOf(program.packs),
          workspaceRoot: settings.workspace.root,
          askedBy: (path) => RequestingSessions.loadOrEmpty(store, path),
          screen: showing,
          oneAtATime,
          onHangUp: () => program.signals.interrupt("SIGHUP")
        })
      : null,
    publish: (event) => Effect.sync(() => showing.show(event))
  }
}
