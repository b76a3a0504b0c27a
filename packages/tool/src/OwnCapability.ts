/**
 * Capabilities that Bough does not provide: the author of a pack declares them, and the app that runs the pack provides
 * them.
 */
import { Approval, type Session, type ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { type Any, type Floor, type Reach, shortName } from "./CapabilityClass.ts"
import { checkArguments } from "./checkArguments.ts"
import * as Expected from "./Expected.ts"
import type { Fact } from "./Fact.ts"
import { reservedNames, reservedNamespace } from "./internal/builtIn.ts"
import type { ProvidedService, Provision } from "./Provided.ts"

/** The facts of a capability, without its service. */
export interface Facts<F extends Floor> {
  /**
   * The lowest tier of a tool that uses it. `ReadOnly`: Workers may have it, and `classify` and `preview` may use it.
   */
  readonly floor: F
  /** The reach of its effects. Default `Open`: a System call needs approval. */
  readonly reach?: Reach
  /** The labels that the entries of a session get from the first result on. Default: none. */
  readonly labels?: ReadonlyArray<Session.Label>
  /** True if others can see a tool's use of it. Default: true, unless its reach is `Confined`. */
  readonly sends?: boolean
}

/** A capability as `make` returns it: the key of a service, with its facts. */
export interface Class<
  in out Self,
  out Name extends string,
  in out Service,
  out F extends Floor
> extends Context.Service<Self, Service> {
  new (_: never): Context.ServiceClass.Shape<Name, Service>
  readonly key: Name
  readonly floor: F
  readonly reach: Reach
  readonly labels: ReadonlyArray<Session.Label>
  readonly sends?: true
}

/** The result of `make`: called with the types of the service, it is the capability. */
export interface CapabilityFactory<Name extends string, F extends Floor> {
  <Self, Service>(): Class<Self, Name, Service, F>
  <Service>(): Class<Context.ServiceClass.Shape<Name, Service>, Name, Service, F>
}

/**
 * Declares a custom capability. The name may have a namespace, as in "acme/Database"; handlers of `fromAsync` use its last
 * part. `class Database extends Capability.make("acme/Database", { floor: "System" })<Database, { readonly query: … }>()
 * {}`, or without a class: `const Database = Capability.make("acme/Database", { floor: "System" })<{ readonly query: …
 * }>()`
 */
export const make = <const Name extends string, const F extends Floor>(
  name: Name,
  facts: Facts<F>
): CapabilityFactory<Name, F> => {
  const wrong = faultOf(name, facts)
  if (wrong !== null) throw new Error(`Capability.make(${JSON.stringify(name)}): ${wrong}`)
  const reach = facts.reach ?? "Open"
  return () =>
    Object.assign(Context.Service<unknown, unknown>()(name), {
      floor: facts.floor,
      reach,
      labels: facts.labels ?? [],
      ...((facts.sends ?? reach !== "Confined") ? { sends: true as const } : {})
    }) as never
}

const floors: ReadonlyArray<unknown> = ["ReadOnly", "Workspace", "System"]
const reaches: ReadonlyArray<unknown> = ["Confined", "Open", "Host"]
const labels: ReadonlyArray<unknown> = ["untrusted", "private"]

const faultOf = (name: unknown, facts: unknown): string | null => {
  if (typeof name !== "string" || !/^(?:[\w.@-]+\/)*[A-Za-z][A-Za-z0-9_]*$/u.test(name)) {
    return 'the name is a word, as in "Database" or "acme/Database"'
  }
  const short = name.slice(name.lastIndexOf("/") + 1)
  if (reservedNames.has(short)) return `${short} is a capability of Bough: choose another name`
  if (reservedNamespace.test(name)) return "choose another namespace: this one is taken"
  if (facts === null || typeof facts !== "object") return 'its facts are missing, as in { floor: "System" }'
  const fields = facts as Readonly<Record<string, unknown>>
  if (!floors.includes(fields["floor"])) return `floor must be ${floors.join(", ")}`
  if (fields["reach"] !== undefined && !reaches.includes(fields["reach"])) return `reach must be ${reaches.join(", ")}`
  const marks = fields["labels"] ?? []
  if (!Array.isArray(marks) || !marks.every((mark) => labels.includes(mark))) {
    return `labels must be a list of ${labels.join(", ")}`
  }
  return fields["sends"] === undefined || typeof fields["sends"] === "boolean" ? null : "sends must be true or false"
}

type Preconditions = ReadonlyArray<Approval.Precondition | Fact>

/** Provides a capability: the same `service` for all calls, or a new service for each call. */
export type ServiceSource<Service> = (
  | { readonly service: Service; readonly make?: never }
  | { readonly make: ProvidedService<Service>["make"]; readonly service?: never }
) & {
  /** The reach; default: the capability's declared reach, else `Open`. */
  readonly reach?: Reach
  /**
   * The facts that an approval of a call with this capability depends on. An Effect is evaluated again before the call
   * starts.
   */
  readonly preconditions?: Preconditions | Effect.Effect<Preconditions, ToolError.ToolError>
  readonly ownerOnly?: true
  readonly prepare?: NonNullable<ProvidedService<Service>["prepare"]>
}

const decodeFacts = (value: unknown) =>
  SchemaParser.decodeUnknownResult(
    Schema.Array(
      Schema.Union([Approval.Precondition, Schema.Struct({ key: Schema.NonEmptyString, digest: Schema.String })])
    )
  )(value)

/** Checks the facts, because approval requests with invalid facts could not be read back from the journal. */
const tagged = (name: string, value: unknown): ReadonlyArray<Approval.Precondition> => {
  const read = decodeFacts(value)
  if (Result.isFailure(read)) {
    throw new Error(`the preconditions of ${name} must be a list of { key, digest }: ${describe(read.failure)}`)
  }
  return read.success.map((fact) => ("_tag" in fact ? fact : { _tag: "Fact", ...fact }))
}

const describe = (issue: SchemaIssue.Issue): string => SchemaIssue.makeFormatterDefault()(issue)

const faultOfServing = ({ make, reach, service }: Readonly<Record<string, unknown>>): string | null => {
  if (make === undefined && (service === undefined || service === null)) {
    return `service must be the capability's service, as in { service: { query } }${Expected.typeText(service)}`
  }
  if (service instanceof Promise) return "service is a promise: pass its value"
  if (reach !== undefined && !reaches.includes(reach)) return `reach must be ${reaches.join(", ")}`
  return make === undefined || typeof make === "function" ? null : "make must be a function that returns the service"
}

/** Serves a capability, for `main(packs, { provide: [...] })` and `open(pack, { provide: [...] })`. */
export const provide = checkArguments(
  "Capability.provide",
  [Expected.capability, Expected.object("the service and its facts, as in { service }")],
  <Key extends Any>(capability: Key, serving: ServiceSource<Key["Service"]>): Provision<Key> => {
    const { make, preconditions, prepare, reach, service, ownerOnly } = serving
    const name = shortName(capability.key)
    const wrong = faultOfServing(serving)
    if (wrong !== null) throw new Error(`Capability.provide(${name}): ${wrong}`)
    return {
      capability,
      provided: {
        make: make ?? (() => service),
        reach: reach ?? capability.reach ?? "Open",
        ...(Effect.isEffect(preconditions)
          ? { preconditions: [], readPreconditions: Effect.map(preconditions, (facts) => tagged(name, facts)) }
          : { preconditions: preconditions === undefined ? [] : tagged(name, preconditions) }),
        ...(ownerOnly === undefined ? {} : { ownerOnly }),
        ...(prepare === undefined ? {} : { prepare })
      }
    }
  }
)
