/**
 * Finds the home directory of the account. The module does not use Effect, because a program needs the directory before
 * it has loaded any other module.
 */
import { homedir, userInfo } from "node:os"
import { isAbsolute } from "node:path"

/**
 * Returns `HOME`, or the home of the user database if `HOME` is unset, empty or relative: data must not follow the
 * current directory. Without either, as for users that a container numbers but does not name, it is `/`.
 */
export const find = (): string => absolute(homedir) ?? absolute(() => userInfo().homedir) ?? "/"

/** Node throws for an account that the user database lacks. */
const absolute = (read: () => string): string | null => {
  try {
    const path = read()
    return isAbsolute(path) ? path : null
  } catch {
    return null
  }
}
