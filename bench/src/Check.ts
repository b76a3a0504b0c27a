/**
 * Checks of a benchmark: any unexpected result ends it, because a benchmark that measured the wrong thing must not
 * print a number.
 */

export class CheckFailed extends Error {
  override readonly name = "CheckFailed"
}

/** Throws CheckFailed with the message unless the condition holds. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckFailed(message)
}
