/** Predicates for the errors of a host's sessions. */
import * as Exit from "effect/Exit"

export const isTagged = (thrown: unknown): boolean => thrown instanceof Error && "_tag" in thrown

export const isTaggedAs = (error: unknown, tag: string): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === tag

/** True if another process owns the tree. */
export const isBusy = (exit: Exit.Exit<unknown, { readonly _tag: string }>): boolean => {
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" && (error.value._tag === "TreeBusy" || error.value._tag === "LeaseLost")
}
