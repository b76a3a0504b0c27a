/** What a command may ask for beyond the sandbox, what each of it gains, and how a model learns that it could ask. */
import type { Execution, Grant } from "@bough/tool"
import * as Schema from "effect/Schema"

export const Target = Schema.Literals(["network", "write", "host"])
export type Target = typeof Target.Type

export const grantOf: Readonly<Record<Target, Grant.Grant>> = {
  network: { _tag: "Network" },
  write: { _tag: "Write" },
  host: { _tag: "Unconfined" }
}

/** For the person who is asked. */
export const gainOf: Readonly<Record<Target, string>> = {
  network: "reach every host on the internet that no rule denies, through the proxy",
  write: "change repository settings and hooks, agent instructions and editor settings of the workspace",
  host: "run as you, outside of any sandbox: all your files, your network, your credentials"
}

interface Ended extends Pick<Execution.RunResult, "exitCode" | "stdout" | "stderr"> {
  /** What the call had already. */
  readonly granted: Target | null
  /** Whether hosts can be asked for. */
  readonly hasProxy: boolean
}

const unresolved =
  /EAI_AGAIN|ENETUNREACH|getaddrinfo|name resolution|could not resolve|network is unreachable|no address associated/iu
const readOnly = /EROFS|read-only file system/iu
const notPermitted = /\bEPERM\b|operation not permitted/iu

/** A line that says how to ask for what the command lacked; null: it shows no sign of a sandbox, or has what there is. */
export const hint = ({ exitCode, granted, hasProxy, stderr, stdout }: Ended): string | null => {
  if (exitCode === 0 || granted === "host") return null
  const said = `${stderr.slice(-tailLength)}\n${stdout.slice(-tailLength)}`
  if (unresolved.test(said)) {
    return hasProxy
      ? 'sandbox: commands reach the network only through the proxy in HTTPS_PROXY, which this program did not use; use escalate to "host"'
      : 'sandbox: commands have no network; use escalate to "host"'
  }
  if (readOnly.test(said)) {
    return `sandbox: this place is read-only for commands; use escalate to "${granted === "write" ? "host" : "write"}"`
  }
  return notPermitted.test(said) ? 'sandbox: commands may not do this; use escalate to "host"' : null
}

const tailLength = 20_000
