/** Caches the results of trying a sandbox until something changes that could make a difference. */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync, statSync } from "node:fs"
import { release, version } from "node:os"
import * as Bubblewrap from "./Bubblewrap.ts"
import type { Workshop } from "./Workshop.ts"
import { script } from "./internal/ProbeScript.ts"
import { Check } from "./SandboxReport.ts"
import type { Settings } from "./Settings.ts"

/** Where it is kept: a place of the operator's own, which no command sees. */
export interface TriedBefore {
  /** Null: nothing is kept, or it cannot be read. */
  readonly recall: () => string | null
  readonly remember: (text: string) => void
}

const Kept = Schema.fromJsonString(Schema.Struct({ key: Schema.String, checks: Schema.Array(Check) }))
const decode = Schema.decodeUnknownOption(Kept)

/**
 * Digest of the boot, the kernel, bubblewrap, this program's arguments for it and the operator's settings. Null: it cannot
 * be determined.
 */
const keyOf = (workshop: Workshop, settings: Settings): Effect.Effect<string | null> =>
  Effect.try(() => {
    const { hold, machine, variables } = workshop
    const { ctimeNs, dev, ino, mtimeNs, size } = statSync(machine.program, { bigint: true })
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
      program: [machine.program, `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`],
      user: [process.getuid?.() ?? null, process.getgid?.() ?? null],
      node: process.version,
      arguments: [
        ...Bubblewrap.args(machine, view, hold),
        ...Bubblewrap.gated(machine, [], { connected: false, proxied: false }),
        script
      ],
      variables,
      settings
    })
  }).pipe(Effect.orElseSucceed(() => null))

/** Returns the cached results, else those of `tryAll`; only results without faults are cached. */
export const checks = Effect.fnUntraced(function* (
  tried: TriedBefore,
  { settings, workshop }: { readonly workshop: Workshop; readonly settings: Settings },
  tryAll: Effect.Effect<ReadonlyArray<Check>>
) {
  const key = yield* keyOf(workshop, settings)
  if (key === null) return yield* tryAll
  const kept = decode(tried.recall())
  if (kept._tag === "Some" && kept.value.key === key && kept.value.checks.length > 0) return kept.value.checks
  const found = yield* tryAll
  if (found.every(({ ok }) => ok)) tried.remember(JSON.stringify({ key, checks: found }))
  return found
})
