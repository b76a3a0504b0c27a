/** Caches the results of testing a sandbox until a relevant fact changes. */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { release, version } from "node:os"
import * as Bubblewrap from "./Bubblewrap.ts"
import { script } from "./internal/ProbeScript.ts"
import { fileOf } from "./Machine.ts"
import { Check } from "./SandboxReport.ts"
import type { Settings } from "./Settings.ts"
import type { Workshop } from "./Workshop.ts"

/** The path of the cache, in a directory of the operator that no command sees. */
export interface TrialCache {
  /** Null: there is no cache, or it cannot be read. */
  readonly recall: () => string | null
  readonly remember: (text: string) => void
}

const CachedTrials = Schema.fromJsonString(
  Schema.Struct({
    key: Schema.String,
    checks: Schema.Array(Check),
    known: Schema.Struct({ file: Schema.NullOr(Schema.String), options: Schema.Array(Schema.String) })
  })
)
const decode = Schema.decodeUnknownOption(CachedTrials)

/** The cached results, and the options that bubblewrap knows. */
export type CachedTrials = typeof CachedTrials.Type

/** Returns the cached results; null: there are none, or they cannot be read. */
export const read = ({ recall }: TrialCache): CachedTrials | null => Option.getOrNull(decode(recall()))

/**
 * Digest of the boot, the kernel, bubblewrap, this program's arguments for it and the operator's settings. Null: it cannot
 * be determined.
 */
const keyOf = (workshop: Workshop, settings: Settings): Effect.Effect<string | null> =>
  Effect.try(() => {
    const { hold, machine, variables } = workshop
    const view = {
      roots: [],
      mounts: [],
      absent: [],
      hidden: [],
      pinned: [],
      emptied: [],
      replaced: [],
      shown: [],
      proxied: false,
      connected: false,
      shell: null
    }
    return Canonical.digestOf({
      boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
      kernel: [release(), version()],
      program: [machine.program, fileOf(machine.program)],
      user: [process.getuid?.() ?? null, process.getgid?.() ?? null],
      node: process.version,
      arguments: [
        ...Bubblewrap.args(machine, view, hold),
        ...Bubblewrap.gateCommand(machine, [], { connected: false, proxied: false }),
        script
      ],
      variables,
      settings
    })
  }).pipe(Effect.orElseSucceed(() => null))

/** Returns the cached results, else those of `tryAll`; only results without faults are cached. */
export const checks = Effect.fnUntraced(function* (
  { remember }: TrialCache,
  {
    kept,
    settings,
    workshop
  }: { readonly workshop: Workshop; readonly settings: Settings; readonly kept: CachedTrials | null },
  tryAll: Effect.Effect<ReadonlyArray<Check>>
) {
  const key = yield* keyOf(workshop, settings)
  if (key === null) return yield* tryAll
  if (kept !== null && kept.key === key && kept.checks.length > 0) return kept.checks
  const found = yield* tryAll
  const { known } = workshop.machine
  if (found.every(({ ok }) => ok)) remember(JSON.stringify({ key, checks: found, known } satisfies CachedTrials))
  return found
})
