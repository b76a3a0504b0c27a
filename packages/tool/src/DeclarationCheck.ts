/**
 * Switches the check of declarations on for a program whose build has made the same tools. Such a build replaces this
 * module's first value; everywhere else every declaration is checked when it is made.
 */
let isOn = true

/** True if a tool that is made now is checked. */
export const isRequired = (): boolean => isOn

/** Checks every tool that is made from now on. */
export const start = (): void => {
  isOn = true
}
