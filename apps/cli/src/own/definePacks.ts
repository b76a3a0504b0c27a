/** The packs of a custom `bough`: the default export of a `bough.packs.ts`. */
import type { Packs, MissingCapabilityMessage } from "@bough/host/Packs"
import { registryOf } from "@bough/host/session/KindTools"
import { type Capability, SessionKind } from "@bough/tool"
import type { MainOptions } from "../MainOptions.ts"

/** The value that `bough build` and `bough --packs` read. */
export interface OwnPacks {
  readonly packs: Packs
  readonly options: MainOptions
}

/**
 * Defines the tools of each kind of session, and optionally custom capabilities, agents, a name and a version.
 *
 * `export default definePacks({ main: SessionKind.Main.tools(myPack), worker: SessionKind.Worker.tools(myReads) })`
 */
export const definePacks = <
  const P extends Packs,
  const Provided extends ReadonlyArray<Capability.Provision> = readonly []
>(
  packs: P & MissingCapabilityMessage<P, NoInfer<Provided>>,
  options: MainOptions & { readonly provide?: Provided } = {}
): OwnPacks => {
  const fault = unknownName(packs, options) ?? missingCapability(packs, options) ?? faultOfKinds(packs, options)
  if (fault !== null) throw new Error(fault)
  return { packs, options }
}

/** True for a value of `definePacks`, even from another copy of this package. */
export const isOwnPacks = (value: unknown): value is OwnPacks => {
  const { options, packs } = (value ?? {}) as Partial<OwnPacks>
  return typeof options === "object" && packs?.main?.pack !== undefined && packs.worker?.pack !== undefined
}

const packNames: Readonly<Record<keyof Packs, true>> = {
  main: true,
  branch: true,
  worker: true,
  reflection: true,
  core: true,
  experiments: true
}

const optionNames: Readonly<Record<keyof MainOptions, true>> = {
  name: true,
  version: true,
  schemas: true,
  provide: true,
  agents: true,
  packVersions: true
}

/** The sentence about a misspelt or misplaced name, which would have no effect: `--packs` checks no types. */
const unknownName = (packs: object, options: object): string | null => {
  for (const [part, names, known] of [
    ["first", packs, packNames],
    ["second", options, optionNames]
  ] as const) {
    const unknown = Object.keys(names).find((name) => !Object.hasOwn(known, name))
    if (unknown !== undefined) {
      return `definePacks has no ${JSON.stringify(unknown)} in its ${part} argument; it takes ${Object.keys(known).join(", ")}`
    }
  }
  return null
}

const builtIn: ReadonlySet<string> = new Set(SessionKind.Main.holds.map(({ key }) => key))

/** The sentence about a capability that nothing provides, for packs whose types were not checked. */
const missingCapability = (packs: Packs, { provide = [] }: MainOptions): string | null => {
  const provided = new Set(provide.map(({ capability }) => capability.key))
  for (const tool of registryOf(packs).values()) {
    const lacking = tool.capabilities.find(({ key }) => !builtIn.has(key) && !provided.has(key))
    if (lacking !== undefined) {
      return `nothing provides ${lacking.key}, which ${tool.name} uses: pass provide: [Capability.provide(…)]`
    }
  }
  return null
}

const faultOfKinds = (packs: Packs, { agents = {} }: MainOptions): string | null => {
  const registry = registryOf(packs)
  for (const [name, { pack }] of Object.entries(agents)) {
    const unregistered = Object.keys(pack.tools).find((tool) => !registry.has(tool))
    if (unregistered !== undefined) {
      return `the agent ${name} has ${unregistered}, which no kind of session has: add it to a kind, or remove it`
    }
  }
  return null
}
