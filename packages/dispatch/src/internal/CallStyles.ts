/** Fails uses after the end of a call as the service itself fails: some functions return a failed Effect, others throw. */
import * as Effect from "effect/Effect"

type Style = "Effect" | "Plain"

export interface CallStyles {
  /** Notes how the function returned. */
  readonly note: (member: Function, returned: unknown) => void
  /** Fails like this function, or like the last one that was called if this one never was. */
  readonly refuse: (member: Function) => unknown
}

/** `ended`: makes the error of a use after the end. */
export const make = (ended: () => unknown): CallStyles => {
  const styles = new WeakMap<Function, Style>()
  let lastStyle: Style = "Plain"
  return {
    note: (member, returned) => {
      lastStyle = Effect.isEffect(returned) && !(returned instanceof Error) ? "Effect" : "Plain"
      styles.set(member, lastStyle)
    },
    refuse: (member) => {
      if ((styles.get(member) ?? lastStyle) === "Plain") throw ended()
      return Effect.fail(ended())
    }
  }
}
