/** `mcp serve`: offers the tools of the packs to a client of the Model Context Protocol. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import { CliFailure, exitCode, usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as SessionFlags from "../../command-line/flags/SessionFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import { toCliFailure } from "../../Failures.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  http: Shapes.optional(
    Flag.Int("http").pipe(
      Flag.withMetavar("PORT"),
      Flag.withDescription("Serve by HTTP on this port of 127.0.0.1 instead of the standard streams; 0: any free port")
    )
  ),
  pack: Shapes.repeatedText("pack", "NAME", "Offer this pack, such as files; repeatable; default: all"),
  runAgent: Shapes.toggle("run-agent", "Offer the whole agent too, as the tool run_agent"),
  model: SessionFlags.turns.model,
  approve: SessionFlags.approve,
  allow: SessionFlags.allow,
  addDir: SessionFlags.addDir
}

/** The variable of the token that clients send as "Authorization: Bearer …". */
const tokenVariable = "BOUGH_MCP_TOKEN"

const serve = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  options: CommandOptions<typeof parameters>
) {
  const { addDir, allow, approve, http, model, pack, runAgent } = options
  const PackOffer = yield* Effect.promise(() => import("../../mcp/PackOffer.ts"))
  const names = PackOffer.packNames(program)
  const unknown = pack.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    return yield* usage(`unknown pack ${JSON.stringify(unknown)}`, `the packs are ${names.join(", ")}`)
  }
  const overrides = { ...SettingsFile.noOverrides, addDir, allow, approve, model, cwd: common.cwd }
  const settings = yield* SettingsFile.load(program.environment, overrides, null)
  for (const notice of settings.notices) program.output.note(notice)
  yield* Effect.gen(function* () {
    const { serveHttp, serveStdio } = yield* Effect.promise(() => import("@bough/mcp/server"))
    const offer = yield* PackOffer.make(program, { settings, packs: pack, offersAgent: runAgent })
    if (http === null) return yield* serveStdio(offer(), { stdin: program.stdin(), stdout: program.stdout })
    const configuredToken = program.environment.variables[tokenVariable] ?? ""
    const token = configuredToken === "" ? randomBytes(32).toString("base64url") : configuredToken
    const { url } = yield* serveHttp({ port: http, token, offer })
    program.output.note(
      `serving ${url}${configuredToken === "" ? `, token ${token}` : `, with the token of ${tokenVariable}`}`
    )
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.provide(program.adapters.store(settings.dataDirectory)),
    Effect.mapError((error) =>
      error._tag === "ServerFailed"
        ? new CliFailure({
            code: exitCode.failed,
            message: error.message,
            hint: "choose another port with --http",
            details: ""
          })
        : toCliFailure(error)
    )
  )
})

export const command = declare({
  description:
    "Offer the tools of this folder to a client of the Model Context Protocol, over the standard streams or HTTP. The client asks its user for approvals; a client that cannot ask needs --allow or rules",
  parameters,
  run: serve
})
