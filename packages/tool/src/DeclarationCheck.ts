/**
 * Switches the check of declarations on or off. A build that has already checked its tools replaces the initial value
 * of this module. In every other program each declaration is checked when it is made.
 */
let isOn = true

/** True if a tool that is made now is checked. */
export const isRequired = (): boolean => isOn

/** Checks every tool that is made from now on. */
export const start = (): void => {
  isOn = true
}
