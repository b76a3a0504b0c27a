/**
 * The agent host of each user: it gets the user's own folders and the operator's variables and configuration, and
 * nothing else.
 */
import { Directory } from "@bough/disk"
import { AgentHost } from "@bough/host"
import type { HostEnvironment } from "@bough/host/config/Settings"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import * as Packs from "../Packs.ts"
import * as AgentVariables from "./AgentVariables.ts"

export interface UserHostsOptions {
  readonly tenantsDirectory: string
  /** The folder of `bough/config.jsonc`, the configuration of every user's agent, which only the operator writes. */
  readonly configDirectory: string
  readonly environment: Pick<HostEnvironment, "variables" | "platform">
}

/** Returns the environment of the agent of a user, named `TENANT/USER` as in `Session.Summary`. */
export const environmentFor = (
  { configDirectory, environment, tenantsDirectory }: UserHostsOptions,
  userKey: string
): HostEnvironment => {
  const [tenant = "", user = ""] = userKey.split("/")
  const home = join(tenantsDirectory, tenant, "users", user)
  const variables = {
    ...AgentVariables.select(environment.variables),
    BOUGH_HOME: join(home, "data"),
    XDG_CONFIG_HOME: configDirectory,
    HOME: home
  }
  return { platform: environment.platform, variables, home, currentDirectory: home, user: userKey }
}

/** Finds the host of a user. */
export class UserHosts extends Context.Service<UserHosts, (userKey: string) => AgentHost.AgentHost>()(
  "@bough/gateway/UserHosts"
) {}

const make = (options: UserHostsOptions): ((userKey: string) => AgentHost.AgentHost) => {
  const hosts = new Map<string, AgentHost.AgentHost>()
  return (userKey) => {
    const known = hosts.get(userKey)
    if (known !== undefined) return known
    const environment = environmentFor(options, userKey)
    Directory.make(environment.home)
    const host = AgentHost.make({ name: "bough-gateway", environment, packs: Packs })
    hosts.set(userKey, host)
    return host
  }
}

export const layer = (options: UserHostsOptions): Layer.Layer<UserHosts> => Layer.sync(UserHosts, () => make(options))
