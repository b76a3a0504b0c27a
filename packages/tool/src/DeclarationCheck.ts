/**
 * Switches the check of declarations on or off. A build that has checked the same tools replaces this module's first
 * value; in every other program each declaration is checked when it is made.
 */
let isOn = true

/** True if a tool that is made now is checked. */
export const isRequired = (): boolean => isOn

/** Checks every tool that is made from now on. */
export const start = (): void => {
  isOn = true
}
