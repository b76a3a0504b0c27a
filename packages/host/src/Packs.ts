/** The tools of an app's sessions, by kind of session. */
import type { Capability, Experiment, SessionKind } from "@bough/tool"

/** The tools of each kind of session. */
export interface Packs {
  readonly main: SessionKind.KindTools
  /** The tools of a Branch; default: those of a Main. */
  readonly branch?: SessionKind.KindTools
  readonly worker: SessionKind.KindTools
  /**
   * The tools of a reflection, which selects the facts of a conversation to remember; default: there are no
   * reflections.
   */
  readonly reflection?: SessionKind.KindTools
  /**
   * Tools declared to the model in full from the start; the others are listed by name and declared on request. Default:
   * all.
   */
  readonly core?: ReadonlySet<string>
  /** Tools that have another version in some session trees; default: none. */
  readonly experiments?: ReadonlyArray<Experiment.Experiment>
}

type BranchOf<P extends Packs> = "branch" extends keyof P ? Exclude<P["branch"], undefined> : never
type KindsOf<P extends Packs> = P["main"] | P["worker"] | BranchOf<P>
/** The capabilities that these packs need and Bough does not provide. */
type OwnOf<P extends Packs> = KindsOf<P> extends SessionKind.KindTools<infer Own> ? Own : never
type MissingCapabilities<P extends Packs, Provided extends ReadonlyArray<Capability.Provision>> =
  unknown extends OwnOf<P> ? never : Exclude<OwnOf<P>, Provided[number]["capability"]["Identifier"]>

/** The compiler's message about missing capabilities of the packs; `unknown`: no capability is missing. */
export type MissingCapabilityMessage<P extends Packs, Provided extends ReadonlyArray<Capability.Provision>> = [
  MissingCapabilities<P, Provided>
] extends [never]
  ? unknown
  : `nothing provides ${Capability.NamesOf<MissingCapabilities<P, Provided>>}: pass provide: [Capability.provide(${Capability.NamesOf<MissingCapabilities<P, Provided>>}, { service })]`

/** JSON Schemas of arguments by tool, derived at build time. */
export type PrebuiltSchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>
