/** The oldest Node that the program runs on, as in the package's `engines`. */

const [oldestMajor, oldestMinor] = [22, 19]

export const oldest = `${oldestMajor}.${oldestMinor}`

export const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}
