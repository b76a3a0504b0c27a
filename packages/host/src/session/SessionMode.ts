/**
 * The modes of a session: what its agent may change without approval. A mode is a policy over the same tools. It
 * applies to every session of the tree, and each prompt names it.
 */
import { type Policy, Rule } from "@bough/policy"
import { Capability, type Tool } from "@bough/tool"

/** The modes in the order in which a key switches them; `all` is chosen only by its name. */
export const modes = ["auto", "ask", "plan", "all"] as const
export type Mode = (typeof modes)[number]

export const descriptions: Readonly<Record<Mode, string>> = {
  auto: "changes in the workspace and sandboxed commands run without a question",
  ask: "every change and every command needs an approval",
  plan: "nothing is changed; the agent explores and proposes a plan",
  all: "every command runs without a question, outside of the sandbox too"
}

/** Returns the sentence that tells the user about the mode. */
export const describe = (mode: Mode): string => `Mode ${mode}: ${descriptions[mode]}`

/** The current mode, which the user may change while the sessions work. */
type ModeListener = (isStored: boolean) => void

export interface SessionMode {
  readonly now: () => Mode
  /** Changes the mode. `isStored`: the change came from the store, where another process put it; default: false. */
  readonly set: (mode: Mode, isStored?: boolean) => void
  /** Calls the listener after each change, until the returned function is called. */
  readonly onChange: (listener: ModeListener) => () => void
}

export const make = (first: Mode = "auto"): SessionMode => {
  let mode = first
  const listeners = new Set<ModeListener>()
  return {
    now: () => mode,
    set: (next, isStored = false) => {
      if (next === mode) return
      mode = next
      for (const listener of listeners) listener(isStored)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}

export const isMode = (text: string): text is Mode => modes.some((mode) => mode === text)

/** Returns the next mode; `auto` follows `all`, and `all` follows no mode. */
export const next = (mode: Mode): Mode => ({ auto: "ask", ask: "plan", plan: "auto", all: "auto" } as const)[mode]

/** Capabilities whose use changes no file, repository or service. */
const inside = new Set<unknown>([
  Capability.Spawn,
  // Each call of a chain is checked against the mode separately.
  Capability.Chain,
  // The model changes nothing with its answer.
  Capability.Sampling,
  Capability.Scratchpad,
  Capability.Environment,
  Capability.MemoryRead,
  Capability.History
])

/** True if a call can change something besides the session itself. */
const changes = ({ capabilities, tier }: Tool.Any): boolean =>
  tier !== "ReadOnly" && !(capabilities.length > 0 && capabilities.every((capability) => inside.has(capability)))

/**
 * True if the mode `ask` requires approval for the tool. Notes and calls without an effect, such as reading the output
 * of a command, need none.
 */
const isAskedAbout = (tool: Tool.Any): boolean =>
  changes(tool) && tool.replay !== "Safe" && !tool.capabilities.includes(Capability.MemoryWrite)

const rulesFor = (
  tools: Iterable<Tool.Any>,
  effect: "ask" | "deny",
  { appliesTo, text }: { readonly appliesTo: (tool: Tool.Any) => boolean; readonly text: string }
): ReadonlyArray<Rule.Rule> =>
  Array.from(tools)
    .filter(appliesTo)
    .map(({ name }) => ({ ...Rule.make(effect, name, []), text }))

/**
 * Returns the policy of the mode. It adds rules that narrow and drops none; `all` also allows the calls of commands
 * that would ask.
 */
export const policyIn = (mode: Mode, policy: Policy.Policy, tools: Iterable<Tool.Any>): Policy.Policy => {
  switch (mode) {
    case "auto":
      return policy
    case "ask":
      return {
        ...policy,
        rules: [...policy.rules, ...rulesFor(tools, "ask", { appliesTo: isAskedAbout, text: "ask mode" })]
      }
    case "plan":
      return {
        ...policy,
        rules: [...policy.rules, ...rulesFor(tools, "deny", { appliesTo: changes, text: "plan mode (read-only)" })]
      }
    case "all":
      return { ...policy, approve: policy.approve === "deny" ? "deny" : "commands" }
  }
}

const lines: Readonly<Record<Mode, string>> = {
  auto: "",
  ask: "Mode: ask. The person approves every change and every command.",
  plan:
    "Mode: plan. Calls that change something are denied. Explore with read-only tools, then answer with a plan of numbered steps; " +
    "the person accepts it or says what to change.",
  all: "Mode: all. The person allows every command."
}

/** Adds the mode to the environment text, which the journal records after each change. */
export const withMode = (environment: string, mode: Mode): string =>
  lines[mode] === "" ? environment : `${environment}\n${lines[mode]}`

/** A mode that a later process restores. */
export type RestoredMode = Exclude<Mode, "all">

/** Returns the mode in an environment text; `all` is not restored from earlier processes. */
export const modeIn = (environment: string): RestoredMode => restored(/^Mode: (\w+)\./mu.exec(environment)?.[1] ?? "")

/** Returns a recorded mode as it applies to a session that is opened again. */
export const restored = (recorded: string): RestoredMode => (isMode(recorded) && recorded !== "all" ? recorded : "auto")
