/** Exit codes that mean a signal: bubblewrap and shells report the end by signal n as 128 + n. */
import { constants } from "node:os"

/**
 * Signals that end processes in practice. Other codes above 128 are left unchanged, because programs use them for other
 * purposes (git exits with 129).
 */
const deadly =
  "SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL SIGSEGV SIGPIPE SIGALRM SIGTERM SIGXCPU SIGXFSZ SIGSYS"

const names = new Map(
  deadly.split(" ").map((name) => [128 + constants.signals[name as keyof typeof constants.signals], name] as const)
)

/** Reads the exit code of a sandboxed command. */
export const fromCode = (code: number): { readonly exitCode: number | null; readonly signal: string | null } => {
  const signal = names.get(code)
  return signal === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal }
}
