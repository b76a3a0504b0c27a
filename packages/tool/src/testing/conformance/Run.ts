/** Runs a part of a tool in a world, as the dispatcher would after its checks, with every capability watched. */
import { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Capability from "../../CapabilityClass.ts"
import { Invocation } from "../../Invocation.ts"
import { Progress } from "../../Progress.ts"
import * as SampleInvocation from "../SampleInvocation.ts"
import type * as Tool from "../../Tool.ts"
import type { Subject, World } from "./Subject.ts"
import * as Watch from "./Watch.ts"
import * as WorldState from "./WorldState.ts"

/** The behaviour of the capabilities: as provided, never responding, or failing. */
export type Answers = "provided" | "never" | "failing"

export interface Session {
  readonly world: World
  readonly watch: Watch.Watch
  readonly before: ReadonlyArray<string>
  /** The methods of capabilities that were called, in order. */
  readonly called: Array<string>
  readonly run: <A>(effect: Effect.Effect<A, unknown, unknown>) => Effect.Effect<Exit.Exit<A, unknown>>
  readonly provide: <A>(effect: Effect.Effect<A, unknown, unknown>) => Effect.Effect<A, unknown>
}

/** Opens a world, passes it to `use`, and closes it in every case. */
export const inWorld = <A>(
  { open, tool }: Subject,
  answers: Answers,
  use: (session: Session) => Effect.Effect<A>
): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.promise(() => Promise.resolve(open())),
    (world) => Effect.suspend(() => watching(tool, world, { answers, use })),
    (world) => Effect.promise(() => Promise.resolve(world.dispose?.()))
  )

interface Usage<A> {
  readonly answers: Answers
  readonly use: (session: Session) => Effect.Effect<A>
}

const watching = <A>(tool: Tool.Any, world: World, { answers, use }: Usage<A>): Effect.Effect<A> => {
  const before = WorldState.read(world)
  const watch = Watch.start()
  const called: Array<string> = []
  const services = contextOf(tool, world, (service, name) => {
    const wrapping = { answers, called, name, watch }
    return service === null
      ? fake(name, (method) => answered(refusal(name), { ...wrapping, name: method }))
      : watched(service, wrapping)
  })
  const provide = <B>(effect: Effect.Effect<B, unknown, unknown>): Effect.Effect<B, unknown> =>
    Effect.provideContext(Effect.scoped(effect), services)
  const session: Session = { world, watch, before, called, provide, run: (effect) => Effect.exit(provide(effect)) }
  return Effect.ensuring(
    Effect.suspend(() => use(session)),
    Effect.sync(watch.stop)
  )
}

const contextOf = (
  tool: Tool.Any,
  world: World,
  wrap: (service: object | null, name: string) => object
): Context.Context<unknown> => {
  const invocation = SampleInvocation.make(world.root === undefined ? {} : { workspaceRoot: world.root })
  const services = new Map<string, unknown>([
    [Invocation.key, invocation],
    [Progress.key, { report: () => Effect.void }]
  ])
  for (const capability of tool.capabilities) {
    const given = world.provisions?.find((one) => Capability.isSame(one.capability, capability))
    const name = Capability.shortName(capability.key)
    const service: object | null = given?.provided.make(invocation, () => {}) ?? null
    services.set(capability.key, wrap(service, name))
  }
  return Context.makeUnsafe<unknown>(services)
}

type Answer = (method: string) => Effect.Effect<unknown, unknown>

/** A fake of any capability: each member is an Effect, a function that returns one, and an object of such members. */
const fake = (method: string, answer: Answer): object => {
  const effect = answer(method)
  return new Proxy(() => answer(method), {
    get: (_, key) =>
      typeof key === "symbol" || key in effect
        ? (Reflect.get(effect, key) as unknown)
        : fake(`${method}.${key}`, answer),
    has: (_, key) => key in effect
  })
}

const refusal = (name: string) => Effect.fail(new ToolError.ExecutionError({ message: `the fake ${name} refuses` }))

interface Wrapping {
  readonly answers: Answers
  readonly called: Array<string>
  readonly name: string
  readonly watch: Watch.Watch
}

const answered = (
  effect: Effect.Effect<unknown, unknown>,
  { answers, called, name, watch }: Wrapping
): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    called.push(name)
    if (answers === "never") return Effect.never
    if (answers === "failing") return refusal(name)
    return watch.apart(effect)
  })

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)

const watched = (service: object, wrapping: Wrapping): object => {
  const { name, watch } = wrapping
  return new Proxy(service, {
    get: (target, key, receiver) => {
      const member: unknown = Reflect.get(target, key, receiver)
      if (typeof key === "symbol") return member
      const inner = { ...wrapping, name: `${name}.${key}` }
      if (Effect.isEffect(member)) return answered(member as Effect.Effect<unknown, unknown>, inner)
      if (typeof member !== "function") return isPlain(member) ? watched(member, inner) : member
      return (...args: ReadonlyArray<unknown>) => {
        const returned = watch.apartNow((): unknown => Reflect.apply(member, target, args))
        return Effect.isEffect(returned) ? answered(returned as Effect.Effect<unknown, unknown>, inner) : returned
      }
    }
  })
}

/** Checks again after each of the given number of turns of the event loop. */
export const until = Effect.fnUntraced(function* (holds: () => boolean, turns: number) {
  for (let turn = 0; turn < turns; turn += 1) {
    if (holds()) return true
    yield* Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))
  }
  return holds()
})
