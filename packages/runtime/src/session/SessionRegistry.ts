/** The tools of a session by name, including those that appear and disappear while it is open. */
import type { DispatchContext } from "@bough/dispatch"
import type { Tool } from "@bough/tool"
import type { Agent, LiveTools } from "./Agent.ts"
import * as SystemPrompt from "./SystemPrompt.ts"
import * as UseTools from "./UseTools.ts"

/** The registry of a session: its tools are fixed, except for live tools, which follow their source. */
export class SessionRegistry extends Map<string, Tool.Any> implements DispatchContext.Registry {
  readonly #live: LiveTools | undefined
  readonly #deferred: ReadonlyArray<string>
  #revision = Number.NaN
  #held: ReadonlyMap<string, Tool.Any> = new Map()
  useTools: Tool.Any | null = null

  constructor(agent: Agent, tools: Iterable<readonly [string, Tool.Any]>) {
    super(tools)
    this.#live = agent.tools.live
    this.#deferred = SystemPrompt.deferredNames(agent)
    this.refresh()
  }

  /** Applies changes of the tools; returns a number that changes with them. */
  refresh(): number {
    const revision = this.#live?.revision() ?? 0
    if (revision === this.#revision) return revision
    this.#revision = revision
    for (const name of this.#held.keys()) this.delete(name)
    // A tool of the session's own pack takes precedence over a live tool of the same name.
    this.#held = new Map([...(this.#live?.tools() ?? [])].filter(([name]) => !this.has(name)))
    for (const [name, tool] of this.#held) this.set(name, tool)
    this.useTools = UseTools.make(this.#deferred, this.#live === undefined ? null : this.#held)
    if (this.useTools !== null) this.set(this.useTools.name, this.useTools)
    return revision
  }
}
