/**
 * The `Environment` capability, in memory: variables that a session sets are lost when this process ends. Tools see the
 * process variables that commands on the host see, without secrets. Sandboxed commands get the variables that their
 * session set; a command on the host does not, because a user approves it by its text.
 */
import { type Session, ToolError } from "@bough/protocol"
import type { Environment as Port, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Environment from "./Environment.ts"
import { isSecretName } from "./SecretName.ts"

export interface SessionVariablesOptions {
  /** The process's own variables. */
  readonly host: Environment.HostVariables
  /** Variables that are visible in addition to the allow-listed ones. */
  readonly extraKeys?: ReadonlyArray<string>
  /** True if a text contains a known secret. */
  readonly holdsSecret: (text: string) => boolean
  /** The storage of the variables of the sessions; default: a separate one. */
  readonly storage?: OwnVariables
}

type Service = Port.Environment["Service"]
type Variables = Map<string, string>

/** The variables that sessions set, by session. */
export type OwnVariables = Map<Session.SessionId, Variables>

const maxVariables = 128

/** The variables of all sessions of a process, separate for each session. */
export interface SessionVariables {
  readonly provided: ToolContext.ProvidedService<Service>
  /** Returns the variables that a session set for its commands in the sandbox. */
  readonly variablesOf: (sessionId: Session.SessionId) => Environment.Variables
}

export const make = (options: SessionVariablesOptions): SessionVariables => {
  const shown = Environment.unconfinedVariables(options.host, options.extraKeys ?? [])
  const sessions: OwnVariables = options.storage ?? new Map<Session.SessionId, Variables>()
  const variablesOf = (sessionId: Session.SessionId): Variables => {
    const variables = sessions.get(sessionId) ?? new Map<string, string>()
    sessions.set(sessionId, variables)
    return variables
  }
  return {
    provided: {
      make: ({ sessionId }) => service(variablesOf(sessionId), shown, options.holdsSecret),
      reach: "Confined",
      preconditions: []
    },
    variablesOf: (sessionId) => Object.fromEntries(sessions.get(sessionId) ?? [])
  }
}

const service = (
  variables: Variables,
  shown: Environment.Variables,
  holdsSecret: SessionVariablesOptions["holdsSecret"]
): Service => {
  const lookUp = (name: string): Port.Variable | null => {
    const value = variables.get(name)
    if (value !== undefined) return { value, from: "session" }
    const inherited = Object.hasOwn(shown, name) ? shown[name] : undefined
    return inherited === undefined || holdsSecret(inherited) ? null : { value: inherited, from: "process" }
  }
  const get: Service["get"] = (name) =>
    isSecretName(name) ? Effect.fail(secretive(name)) : Effect.sync(() => lookUp(name))
  const set: Service["set"] = Effect.fnUntraced(function* (name, value) {
    const previous = yield* get(name)
    if (holdsSecret(value)) return yield* denied(`the value for ${name} contains a secret, which tools do not store`)
    if (!variables.has(name) && variables.size >= maxVariables) {
      return yield* new ToolError.ExecutionError({ message: `a session may have at most ${maxVariables} variables` })
    }
    variables.set(name, value)
    return previous
  })
  return { get, set }
}

const denied = (reason: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({ tier: "Workspace", reason })

const secretive = (name: string): ToolError.PermissionDenied =>
  denied(`${name} is named like a secret: tools neither see nor set such variables`)
