/** The command line of `bough-gateway`. Without a command it serves. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import type { AuthSettings } from "../auth/AuthSettings.ts"
import * as GatewayConfig from "../config/GatewayConfig.ts"
import { version } from "../Version.ts"
import * as Backup from "./Backup.ts"
import * as ConfigSchema from "./ConfigSchema.ts"
import { DataDirectory } from "./DataDirectory.ts"
import * as Doctor from "./Doctor.ts"
import * as Tenant from "./Tenant.ts"
import * as Token from "./Token.ts"
import * as User from "./User.ts"

export interface CommandsOptions<E, R> {
  readonly dataDirectory: string
  readonly serve: (options: {
    readonly dataDirectory: string
    readonly host: string
    readonly port: number
    readonly access: AuthSettings
    readonly catalog: Pick<GatewayConfig.GatewayConfig, "agents" | "models">
    readonly log: NonNullable<GatewayConfig.GatewayConfig["log"]>
    readonly retention: NonNullable<GatewayConfig.GatewayConfig["retention"]>
    readonly webhooks: NonNullable<GatewayConfig.GatewayConfig["webhooks"]>
  }) => Effect.Effect<void, E, R>
}

const defaultHost = "127.0.0.1"
const defaultPort = 8642

const data = Flag.String("data").pipe(Flag.withDescription("The folder in which the gateway stores all of its data"))

const host = Flag.String("host").pipe(
  Flag.withDescription("The address to listen on; default 127.0.0.1"),
  Flag.optional
)

const port = Flag.Int("port").pipe(
  Flag.filter(
    (port) => port >= 0 && port <= 65_535,
    () => "a port from 0 to 65535"
  ),
  Flag.withDescription("The port to listen on, or 0 for any free one; default 8642"),
  Flag.optional
)

const config = Flag.String("config").pipe(
  Flag.withDescription("The configuration file; default gateway.json in the data folder"),
  Flag.optional
)

/** Runs the arguments of a process. */
export const run = <E, R>(options: CommandsOptions<E, R>) => {
  const root = Command.make("bough-gateway", { host, port, config }, ({ config, host, port }) =>
    Effect.gen(function* () {
      const { dataDirectory } = yield* DataDirectory
      const path = Option.isSome(config) ? resolve(config.value) : null
      const configured = yield* GatewayConfig.load(dataDirectory, path)
      return yield* options.serve({
        dataDirectory,
        host: Option.getOrElse(host, () => configured.host ?? defaultHost),
        port: Option.getOrElse(port, () => configured.port ?? defaultPort),
        access: configured.access ?? {},
        catalog: {
          ...(configured.agents === undefined ? {} : { agents: configured.agents }),
          ...(configured.models === undefined ? {} : { models: configured.models })
        },
        log: configured.log ?? "info",
        retention: configured.retention ?? {},
        webhooks: configured.webhooks ?? {}
      })
    })
  ).pipe(
    Command.withSharedFlags({ data: Flag.withDefault(data, options.dataDirectory) }),
    Command.withDescription("Serve agent sessions for many users; without a command, the server is started"),
    Command.withSubcommands([
      Backup.command,
      Doctor.command,
      ConfigSchema.command,
      Tenant.command,
      User.command,
      Token.command
    ]),
    Command.provideSync(DataDirectory, ({ data }) => DataDirectory.of({ dataDirectory: resolve(data) }))
  )
  return Command.runWith(root, { version })
}
