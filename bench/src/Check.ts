/** A benchmark that measured the wrong thing must not print a number: any unexpected result ends it. */

export class CheckFailed extends Error {
  override readonly name = "CheckFailed"
}

/** Throws CheckFailed with the message unless the condition holds. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckFailed(message)
}
