/** Why the operating system refused something, in its own words and without the code and the call that programmers see. Pure. */

/** `ENOENT: no such file or directory, open '/a/b'` as `no such file or directory`; `--verbose` has the rest. */
export const of = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return /^[A-Z][A-Z0-9]+: (.+?), \w+(?: '.*)?$/su.exec(message)?.[1] ?? message
}
