/** The parts of a session that other sessions and users see: a child, a channel, chains, and its model. */
import { Budget, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Capability from "../../Capability.ts"
import type * as Spawn from "../../Spawn.ts"
import type { TestWorld } from "../conformance/Subject.ts"

/** The child of the world, which has completed. */
const child: Spawn.Child = {
  sessionId: Session.SessionId.make("ses_1"),
  kind: "Branch",
  state: "Completed",
  title: "look",
  approvals: [],
  spent: Budget.nothing,
  result: {
    status: "Completed",
    reason: "",
    summary: "found it",
    output: null,
    artifacts: [{ _tag: "MediaSent", path: "a.txt", channel: "test" }],
    memoryIds: [],
    usage: Budget.nothing
  }
}

export interface SessionContent {
  /** The child that each call starts, steers or awaits; default: the completed Branch `ses_1`. */
  readonly child?: Spawn.Child
  /** Answers a request of a tool to the model; default: `an answer`. */
  readonly answer?: (text: string) => string
}

/** Makes the world. `state` shows each request once, so that a repeated call changes nothing. */
export const session = ({ answer = () => "an answer", child: started = child }: SessionContent = {}): TestWorld => {
  const done = new Set<string>()
  const after = <A>(request: unknown, value: A) => Effect.sync(() => (done.add(JSON.stringify(request)), value))
  const spawn: Spawn.Spawn["Service"] = {
    spawn: (request) => after(request, started),
    wait: () => Effect.succeed([started]),
    list: () => Effect.succeed([started]),
    steer: (sessionId, text) => after({ sessionId, text }, started),
    cancel: (sessionId, reason) => after({ sessionId, reason }, started)
  }
  const run: Capability.Chain["Service"]["run"] = (links) =>
    Effect.succeed(
      links.map(({ name, tool }) => ({ name, tool, status: "succeeded", text: "done", display: "Done", isLast: true }))
    )
  return {
    provisions: [
      Capability.provide(Capability.Spawn, { service: spawn }),
      Capability.provide(Capability.Channel, {
        service: { send: (text, media) => after({ text, media }, { messageId: "msg_1", channel: "test" }) }
      }),
      Capability.provide(Capability.Chain, { service: { run } }),
      Capability.provide(Capability.Sampling, {
        service: {
          ask: ({ messages }) =>
            Effect.succeed({ text: answer(messages.at(-1)?.text ?? ""), model: "sample/model", reason: "stop" })
        }
      })
    ],
    state: () => [...done]
  }
}
