/** Runs a part of a tool in a world, as the dispatcher would after its checks, with every capability watched. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Capability from "../../CapabilityClass.ts"
import * as HandlerOrigin from "../../HandlerOrigin.ts"
import { Invocation } from "../../Invocation.ts"
import { Progress } from "../../Progress.ts"
import type * as Tool from "../../Tool.ts"
import * as SampleInvocation from "../SampleInvocation.ts"
import * as Codecs from "./Codecs.ts"
import * as Fate from "./Fate.ts"
import { refuse, type TestedTool, type TestWorld } from "./Subject.ts"
import * as Watch from "./Watch.ts"
import * as WorldState from "./WorldState.ts"

/** One run of the tool's code in the world, with separate capabilities. */
export interface Attempt {
  /** The methods of capabilities that were called, in order. */
  readonly called: ReadonlyArray<string>
  /** Emits each call that will get no answer, once its effects are complete. */
  readonly withheld: ReadonlyArray<string>
  readonly run: <A>(effect: Effect.Effect<A, unknown, unknown>) => Effect.Effect<Exit.Exit<A, unknown>>
  readonly provide: <A>(effect: Effect.Effect<A, unknown, unknown>) => Effect.Effect<A, unknown>
}

export interface Session extends Attempt {
  readonly world: TestWorld
  readonly watch: Watch.Watch
  readonly before: ReadonlyArray<string>
  /** Begins another run in the same world. */
  readonly attempt: (fates: Fate.FateByPosition) => Attempt
}

/** Opens a world, passes it to `use`, and closes it in every case. */
export const inWorld = <A>(
  subject: TestedTool,
  fates: Fate.FateByPosition,
  use: (session: Session) => Effect.Effect<A>
): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.promise(() => Promise.resolve(subject.open())),
    (world) => Effect.suspend(() => runWatched(subject, world, { fates, use })),
    (world) => Effect.promise(() => Promise.resolve(world.dispose?.()))
  )

interface Usage<A> {
  readonly fates: Fate.FateByPosition
  readonly use: (session: Session) => Effect.Effect<A>
}

const runWatched = <A>(subject: TestedTool, world: TestWorld, { fates, use }: Usage<A>): Effect.Effect<A> => {
  const before = WorldState.read(world)
  const watch = Watch.start()
  const attempt = (chosen: Fate.FateByPosition): Attempt => attemptIn(subject, world, { fates: chosen, watch })
  const session: Session = { ...attempt(fates), world, watch, before, attempt }
  return Effect.ensuring(
    Effect.suspend(() => use(session)),
    Effect.sync(watch.stop)
  )
}

const attemptIn = (subject: TestedTool, world: TestWorld, parts: Pick<CallRecorder, "fates" | "watch">): Attempt => {
  const { tool } = subject
  const called: Array<string> = []
  const withheld: Array<string> = []
  const services = contextOf(tool, world, (service, name) => {
    const wrapping = { ...parts, called, withheld, name }
    return service === null
      ? fake(name, (method) => withFate(notProvided(name), { ...wrapping, name: method }))
      : watchService(service, wrapping)
  })
  const provide = <B>(effect: Effect.Effect<B, unknown, unknown>): Effect.Effect<B, unknown> =>
    Effect.provideContext(Effect.scoped(effect), services)
  return { called, withheld, provide, run: (effect) => runInTime(subject, provide(effect)) }
}

/**
 * Runs code of the tool in a fiber of its own. Refuses the tool if its time limit passes: code that cannot be interrupted
 * would delay every check.
 */
const runInTime = <A>(subject: TestedTool, effect: Effect.Effect<A, unknown>): Effect.Effect<Exit.Exit<A, unknown>> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const { tool } = subject
    const fiber = HandlerOrigin.runInside(tool.name, () => Effect.runForkWith(context)(effect))
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return Effect.succeed(exit)
    const limitMillis = limitOf(subject)
    const late = Effect.andThen(
      Effect.sleep(limitMillis),
      Effect.sync((): never =>
        refuse(tool, `it still runs after ${limitMillis} ms, its timeoutMillis: a call has to end in time`)
      )
    )
    return Effect.raceFirst(Fiber.await(fiber), late).pipe(Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe())))
  })

/** The longest timeout that a timer of Node accepts. */
export const maxMillis = 2 ** 31 - 1

/** The longest time limit of the sample calls. Another rule checks that the tool returns limits. */
const limitOf = ({ samples, tool }: TestedTool): number => {
  const limits = samples.map((sample): unknown =>
    Result.getOrElse(
      Result.try(() => tool.timeoutMillis(Codecs.parametersOf(tool, sample))),
      () => maxMillis
    )
  )
  return Math.max(
    ...limits.map((limit) => (typeof limit === "number" && limit > 0 && limit <= maxMillis ? limit : maxMillis))
  )
}

const contextOf = (
  tool: Tool.Any,
  world: TestWorld,
  wrap: (service: object | null, name: string) => object
): Context.Context<unknown> => {
  const invocation = SampleInvocation.make(world.root === undefined ? {} : { workspaceRoot: world.root })
  const services = new Map<string, unknown>([
    [Invocation.key, invocation],
    [Progress.key, { report: () => Effect.void }]
  ])
  for (const capability of tool.capabilities) {
    const provision = world.provisions?.find((one) => Capability.isSame(one.capability, capability))
    const name = Capability.shortName(capability.key)
    const service: object | null = provision?.provided.make(invocation, () => {}) ?? null
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

const notProvided = (name: string) =>
  Effect.fail(Fate.error("ExecutionError", `the fake ${name} refuses: \`provide\` returns no ${name}`))

const refusal = (tag: Fate.FailureTag, name: string) => Effect.fail(Fate.error(tag, `the fake ${name} refuses`))

interface CallRecorder {
  readonly fates: Fate.FateByPosition
  readonly called: Array<string>
  readonly withheld: Array<string>
  readonly name: string
  readonly watch: Watch.Watch
}

const withFate = (
  effect: Effect.Effect<unknown, unknown>,
  { called, fates, name, watch, withheld }: CallRecorder
): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    const fate = fates(called.push(name) - 1)
    const withhold = Effect.andThen(
      Effect.sync(() => void withheld.push(name)),
      Effect.never
    )
    switch (fate) {
      case "provided":
        return watch.apart(effect)
      case "lost":
        return Effect.andThen(watch.apart(effect), withhold)
      case "never":
        return withhold
      default:
        return refusal(fate, name)
    }
  })

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)

/** A method that returns a promise does its work when it is called, so its outcome is decided before the call. */
const isAsync = (method: object): method is () => Promise<unknown> =>
  Object.prototype.toString.call(method) === "[object AsyncFunction]"

/** Fails with the error of a rejected promise itself. */
const fromPromise = (work: () => Promise<unknown>): Effect.Effect<unknown, unknown> =>
  Effect.callback((resume) => {
    void Promise.try(work).then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(Effect.fail(error))
    )
  })

const watchService = (service: object, wrapping: CallRecorder): object => {
  const { name, watch } = wrapping
  return new Proxy(service, {
    get: (target, key, receiver) => {
      const member: unknown = Reflect.get(target, key, receiver)
      if (typeof key === "symbol") return member
      const inner = { ...wrapping, name: `${name}.${key}` }
      if (Effect.isEffect(member)) return withFate(member as Effect.Effect<unknown, unknown>, inner)
      if (typeof member !== "function") return isPlain(member) ? watchService(member, inner) : member
      if (isAsync(member)) {
        return (...args: ReadonlyArray<unknown>) =>
          Effect.runPromise(
            withFate(
              fromPromise(() => Reflect.apply(member, target, args) as Promise<unknown>),
              inner
            )
          )
      }
      return (...args: ReadonlyArray<unknown>) => {
        const returned = watch.apartNow((): unknown => Reflect.apply(member, target, args))
        return Effect.isEffect(returned) ? withFate(returned as Effect.Effect<unknown, unknown>, inner) : returned
      }
    }
  })
}

/** Checks again after each of the given number of turns of the event loop. */
export const waitUntil = Effect.fnUntraced(function* (holds: () => boolean, turns: number) {
  for (let turn = 0; turn < turns; turn += 1) {
    if (holds()) return true
    yield* Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))
  }
  return holds()
})

/** Checks the condition for two seconds, at growing intervals: resources of a capability may take time to close. */
export const untilInTime = Effect.fnUntraced(function* (holds: () => boolean) {
  let waitedMillis = 0
  while (waitedMillis < 2000) {
    if (holds()) return true
    const pauseMillis = Math.min(1 + Math.floor(waitedMillis / 10), 50)
    // The timer itself counts as an open handle until its turn of the event loop is over.
    yield* Effect.sleep(pauseMillis)
    yield* Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))
    waitedMillis += pauseMillis
  }
  return holds()
})
