/** The agent host of each user: folders of one's own, the variables and configuration of the operator, and no more. */
import { AgentHost } from "@bough/host"
import type { HostEnvironment } from "@bough/host/config/Settings"
import { Directory } from "@bough/disk"
import { join } from "node:path"
import * as Packs from "../Packs.ts"

export interface UserHostsOptions {
  readonly tenantsDirectory: string
  /** Holds `bough/config.jsonc`, the configuration of every user's agent, which only the operator writes. */
  readonly configDirectory: string
  readonly environment: Pick<HostEnvironment, "variables" | "platform">
}

/** Finds the host of a user, as `Session.Summary` names one: `TENANT/USER`. */
export const make = (options: UserHostsOptions): ((userKey: string) => AgentHost.AgentHost) => {
  const hosts = new Map<string, AgentHost.AgentHost>()
  const hostOf = (userKey: string): AgentHost.AgentHost => {
    const [tenant = "", user = ""] = userKey.split("/")
    const home = join(options.tenantsDirectory, tenant, "users", user)
    Directory.make(home)
    return AgentHost.make({
      name: "bough-gateway",
      environment: {
        platform: options.environment.platform,
        variables: {
          ...options.environment.variables,
          BOUGH_HOME: join(home, "data"),
          XDG_CONFIG_HOME: options.configDirectory,
          HOME: home,
          INIT_CWD: undefined
        },
        home,
        currentDirectory: home,
        user: userKey
      },
      packs: Packs
    })
  }
  return (userKey) => {
    const found = hosts.get(userKey) ?? hostOf(userKey)
    hosts.set(userKey, found)
    return found
  }
}
