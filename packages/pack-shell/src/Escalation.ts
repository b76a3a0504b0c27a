/** The escalations beyond the sandbox that a command may request, their effects, and hints about them for the model. */
import type { Execution, Grant } from "@bough/tool"
import * as Schema from "effect/Schema"

export const Target = Schema.Literals(["network", "write", "host"])
export type Target = typeof Target.Type

/** Returns the grant for each target, which depends on the command's text. */
export const grantOf = (to: Target, command: string): Grant.Grant => {
  switch (to) {
    case "network":
      return { _tag: "Network" }
    case "write":
      return { _tag: "Write", repositories: concernsGit(command) }
    case "host":
      return { _tag: "Unconfined" }
  }
}

/** True if the command names git or a hook manager; any other command cannot change repositories. */
const concernsGit = (command: string): boolean =>
  /(?<![\w-])(?:git|githooks?|hooks?|husky|lefthook|pre-commit|simple-git-hooks)(?![\w])/iu.test(command)

/** Describes the effect to the user who approves it. */
export const gainOf = (to: Target, command: string): string =>
  to === "write" && concernsGit(command) ? `${gains.write}, and settings and hooks of its repositories` : gains[to]

const gains: Readonly<Record<Target, string>> = {
  network: "reach every host on the internet that no rule denies, through the proxy",
  write: "change agent instructions and editor settings of the workspace",
  host: "run as you, outside of any sandbox: all your files, your network, your credentials"
}

/** The reason of an approval in a few words; its preview has the whole effect. */
export const purposes: Readonly<Record<Target, string>> = {
  network: "use the network",
  write: "change protected files",
  host: "leave the sandbox"
}

interface EndedCommand extends Pick<Execution.RunResult, "exitCode" | "stdout" | "stderr"> {
  /** The escalation with which the call ran. */
  readonly granted: Target | null
  /** True if commands can request hosts. */
  readonly hasProxy: boolean
}

const unresolved =
  /EAI_AGAIN|ENETUNREACH|getaddrinfo|name resolution|could not resolve|network is unreachable|no address associated/iu
const readOnly = /EROFS|read-only file system/iu
const notPermitted = /\bEPERM\b|operation not permitted/iu
/** Matches the refused socket of a service, such as Docker. */
const noService = /\bEAFNOSUPPORT\b|address family not supported/iu

/**
 * Returns a line about the escalation that the command lacked; null: nothing points to the sandbox, or the command
 * already had the escalation.
 */
export const hint = ({ exitCode, granted, hasProxy, stderr, stdout }: EndedCommand): string | null => {
  if (exitCode === 0 || granted === "host") return null
  const output = `${stderr.slice(-tailLength)}\n${stdout.slice(-tailLength)}`
  if (unresolved.test(output)) {
    return hasProxy
      ? 'sandbox: commands reach the network only through the proxy in HTTPS_PROXY, which this program did not use; use escalate to "host"'
      : 'sandbox: commands have no network; use escalate to "host"'
  }
  if (readOnly.test(output)) {
    return `sandbox: this place is read-only for commands; use escalate to "${granted === "write" ? "host" : "write"}"`
  }
  if (noService.test(output)) {
    return 'sandbox: commands reach no service of this machine by its socket; use escalate to "host"'
  }
  return notPermitted.test(output) ? 'sandbox: commands may not do this; use escalate to "host"' : null
}

const tailLength = 20_000
