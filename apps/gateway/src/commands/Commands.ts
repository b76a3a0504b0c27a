/** The command line of `bough-gateway`. Without a command it serves. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { version } from "../Version.ts"
import { Root } from "./Root.ts"
import * as Tenant from "./Tenant.ts"
import * as Token from "./Token.ts"
import * as User from "./User.ts"

export interface CommandsOptions<E, R> {
  readonly dataDirectory: string
  readonly serve: (options: {
    readonly dataDirectory: string
    readonly host: string
    readonly port: number
  }) => Effect.Effect<void, E, R>
}

const defaultPort = 8642

const data = Flag.String("data").pipe(Flag.withDescription("The folder that holds everything that the gateway stores"))

/** Runs the arguments of a process. */
export const run = <E, R>(options: CommandsOptions<E, R>) => {
  const root = Command.make(
    "bough-gateway",
    {
      host: Flag.String("host").pipe(Flag.withDescription("The address to listen on"), Flag.withDefault("127.0.0.1")),
      port: Flag.Int("port").pipe(
        Flag.filter(
          (port) => port >= 0 && port <= 65_535,
          () => "a port from 0 to 65535"
        ),
        Flag.withDescription("The port to listen on; 0 takes any free one"),
        Flag.withDefault(defaultPort)
      )
    },
    ({ host, port }) => Effect.flatMap(Root, ({ dataDirectory }) => options.serve({ dataDirectory, host, port }))
  ).pipe(
    Command.withSharedFlags({ data: Flag.withDefault(data, options.dataDirectory) }),
    Command.withDescription("Serve sessions of agents for many people; without a command it serves"),
    Command.withSubcommands([Tenant.command, User.command, Token.command]),
    Command.provideSync(Root, ({ data }) => Root.of({ dataDirectory: resolve(data) }))
  )
  return Command.runWith(root, { version })
}
