/**
 * `doctor`: checks the store, the sandbox, the model and the disk of a data folder, and explains how to fix each
 * failure.
 */
import * as Settings from "@bough/host/config/Settings"
import * as ModelChoice from "@bough/host/model/ModelChoice"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import { QuickCheck } from "@bough/store-sqlite"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as GatewayConfig from "../config/GatewayConfig.ts"
import * as UserHosts from "../sessions/UserHosts.ts"
import { DataDirectory } from "./DataDirectory.ts"

/** Some checks failed. Their results have already been printed. */
export class ChecksFailed extends Schema.TaggedError<ChecksFailed>()("ChecksFailed", { message: Schema.String }) {}

export interface CheckResult {
  readonly name: string
  readonly isGood: boolean
  readonly detail: string
}

const minFreeBytes = 512 * 1024 * 1024

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

const disk = (dataDirectory: string): CheckResult => {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDirectory))
  const free = bavail * bsize
  return {
    name: "disk",
    isGood: free >= minFreeBytes,
    detail: `${Math.floor(free / 1024 / 1024)} MiB are free for ${dataDirectory}`
  }
}

const failed =
  (name: string) =>
  (error: { readonly message: string }): CheckResult => ({ name, isGood: false, detail: error.message })

const store = (dataDirectory: string) => {
  const directory = join(dataDirectory, "sessions")
  return existsSync(join(directory, "bough.db"))
    ? QuickCheck.problems({ directory }).pipe(
        Effect.map((problems): CheckResult => ({
          name: "store",
          isGood: problems.length === 0,
          detail: problems.length === 0 ? "the session store is undamaged" : problems.join("; ")
        })),
        Effect.catch((error) => Effect.succeed(failed("store")(error)))
      )
    : Effect.succeed<CheckResult>({
        name: "store",
        isGood: true,
        detail: "there is no store yet; the first start creates it"
      })
}

/** Checks the gateway's own configuration, and names each invalid field. */
const config = (dataDirectory: string) =>
  GatewayConfig.load(dataDirectory, null).pipe(
    Effect.as<CheckResult>({ name: "gateway.json", isGood: true, detail: "fits its schema, or does not exist" }),
    Effect.catch((error) => Effect.succeed(failed("gateway.json")(error)))
  )

/** Runs every check. */
export const checks = Effect.fnUntraced(function* (dataDirectory: string, variables: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), "bough-doctor-"))
  const environment = UserHosts.environmentFor(
    {
      tenantsDirectory: folder,
      configDirectory: join(dataDirectory, "config"),
      environment: { variables, platform: process.platform }
    },
    "doctor/doctor"
  )
  const configured = Settings.requireConfinement(environment).pipe(
    Effect.andThen(Settings.load(environment, { ...Settings.noOverrides, cwd: folder, confined: true }, null))
  )
  const agent = Effect.gen(function* () {
    const settings = yield* configured
    const { report } = yield* SessionCapabilities.sandbox(settings, { retest: true })
    const { available, hint, missing } = yield* report
    const sandbox: CheckResult = {
      name: "sandbox",
      isGood: available,
      detail: available ? "commands are confined" : `${missing.join(", ")} missing: commands are refused; ${hint}`
    }
    const model = yield* ModelChoice.fromSettings(settings).pipe(
      Effect.map(({ name, reason }): CheckResult => ({ name: "model", isGood: true, detail: `${name}: ${reason}` })),
      Effect.catch((error) => Effect.succeed(failed("model")(error)))
    )
    return [sandbox, model]
  }).pipe(Effect.catch((error) => Effect.succeed([failed("configuration")(error)])))
  return yield* Effect.all([
    Effect.sync(() => [disk(dataDirectory)]),
    Effect.map(store(dataDirectory), (one) => [one]),
    Effect.map(config(dataDirectory), (one) => [one]),
    agent
  ]).pipe(
    Effect.map((found) => found.flat()),
    Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  )
})

export const command = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const { dataDirectory } = yield* DataDirectory
    const found = yield* checks(dataDirectory, process.env)
    for (const { detail, isGood, name } of found) {
      yield* Console.log(`${isGood ? "ok    " : "FAILED"} ${name.padEnd(14)} ${detail}`)
    }
    const bad = found.filter(({ isGood }) => !isGood)
    if (bad.length > 0) return yield* new ChecksFailed({ message: `${bad.length} of ${found.length} checks failed` })
  })
).pipe(Command.withDescription("Check the store, the sandbox, the model and the disk"))
