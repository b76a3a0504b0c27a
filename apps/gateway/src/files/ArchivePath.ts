/** The paths that an archive may contain: below its root, portable, and each only once. Pure. */

const maxLength = 1_000
const deepest = 64

/**
 * Returns the path below the root, "" for the root itself; an `ArchiveInvalid` says in a sentence why the path is refused.
 */
export const fromName = (name: string): { readonly path: string } | { readonly fault: string } => {
  const shown = JSON.stringify(name.slice(0, 100))
  // oxlint-disable-next-line no-control-regex -- names with control characters are refused
  if (/[\u0000-\u001f\u007f\\]/u.test(name) || !name.isWellFormed())
    return { fault: `${shown} has characters that no path may have` }
  if (name.startsWith("/") || /^[A-Za-z]:/u.test(name)) return { fault: `${shown} is an absolute path` }
  const parts = name.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.includes("..")) return { fault: `${shown} leads out of the archive` }
  if (name.length > maxLength || parts.length > deepest) return { fault: `${shown} is too long` }
  return { path: parts.join("/") }
}
