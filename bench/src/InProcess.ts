/**
 * A complete step without a process or a network around it: the cost of the runtime itself, of the journal and of the
 * disk.
 */
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { type Aim, atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import * as DiskSync from "./DiskSync.ts"
import { type Length, millisPerStep } from "./session/SteppedSession.ts"
import * as Stores from "./session/Stores.ts"
import { interleave, median, min } from "./Statistics.ts"

const { memory } = Stores

const short: Length = { entries: 10, steps: 200 }
const at = (entries: number): Length => ({ entries, steps: 30 })

/** The tolerance for noise in the aim of a step whose cost does not grow. */
const growthLimit = 1.25
const stepMicros = 50

const run: Benchmark["run"] = async ({ folder, quick }): Promise<Report> => {
  // A new file each time: a file that grows from run to run would distort the measurement.
  const durable = () => Stores.durable(mkdtempSync(join(folder, "store-")))
  await warmUp(quick ? 10 : 40, durable)
  const rounds = quick ? 3 : 15
  const steps = await interleave(rounds, {
    safe: () => millisPerStep(memory, "Safe", short),
    unsafe: () => millisPerStep(memory, "Unsafe", short),
    durableSafe: () => millisPerStep(durable(), "Safe", short),
    durableUnsafe: () => millisPerStep(durable(), "Unsafe", short),
    fdatasync: () => Promise.resolve(median(DiskSync.fdatasyncMillis(folder, 50)))
  })
  const growth = await interleave(quick ? 3 : 9, {
    memory10: () => millisPerStep(memory, "Safe", at(10)),
    memory1000: () => millisPerStep(memory, "Safe", at(1_000)),
    memory5000: () => millisPerStep(memory, "Safe", at(5_000)),
    durable10: () => millisPerStep(durable(), "Safe", at(10)),
    durable1000: () => millisPerStep(durable(), "Safe", at(1_000)),
    durable5000: () => millisPerStep(durable(), "Safe", at(5_000))
  })
  const longer = (label: string, samples: ReadonlyArray<number>, base: ReadonlyArray<number>) =>
    against(label, samples, {
      base,
      aim: atMost(median(samples) / median(base), growthLimit, `≤ ${growthLimit} × at 10 entries`)
    })
  return {
    rows: [
      alone("Safe, no journal", steps.safe, stepAim(steps.safe)),
      alone("Unsafe, no journal", steps.unsafe, stepAim(steps.unsafe)),
      against("Safe, durable journal", steps.durableSafe, { base: steps.safe, aim: null }),
      against("Unsafe, durable journal", steps.durableUnsafe, { base: steps.unsafe, aim: null }),
      alone("fdatasync of 4 KiB on this disk", steps.fdatasync, null),
      alone("Safe, no journal, at 10 entries", growth.memory10, null),
      longer("Safe, no journal, at 1,000", growth.memory1000, growth.memory10),
      longer("Safe, no journal, at 5,000", growth.memory5000, growth.memory10),
      alone("Safe, durable, at 10 entries", growth.durable10, null),
      longer("Safe, durable, at 1,000", growth.durable1000, growth.durable10),
      longer("Safe, durable, at 5,000", growth.durable5000, growth.durable10)
    ],
    notes: [
      `A step: one model call (scripted) and one call of a tool that does nothing. Each run is the mean of ${short.steps} steps (growth: ${at(0).steps}), garbage collection included, in a warm process; the figure is the median of the runs.`,
      "No journal: the stores in memory. Durable: SQLite, where an Unsafe step waits for two syncs and a Safe one for none.",
      "Of the syncs only the wait for fdatasync is timed, not the write before it."
    ],
    notMeasured: []
  }
}

/** Runs steps until the compiler has optimised all code, because the measurement is of a long-running session. */
const warmUp = async (rounds: number, durable: () => Stores.Stores): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    for (const replay of ["Safe", "Unsafe"] as const) {
      await millisPerStep(memory, replay, { entries: 10, steps: 400 })
      await millisPerStep(durable(), replay, { entries: 10, steps: 20 })
    }
  }
}

const stepAim = (millis: ReadonlyArray<number>): Aim => atMost(median(millis) * 1000, stepMicros, `≤ ${stepMicros} µs`)

const alone = (label: string, millis: ReadonlyArray<number>, aim: Aim | null): Row => ({
  label,
  ratio: null,
  figures: [figure("p50", median(millis) * 1000, "µs"), figure("min", min(millis) * 1000, "µs")],
  aim
})

/** The ratio is to `base`, without a journal or in a short session. */
const against = (
  label: string,
  millis: ReadonlyArray<number>,
  { aim, base }: { readonly base: ReadonlyArray<number>; readonly aim: Aim | null }
): Row => ({ ...alone(label, millis, aim), ratio: median(millis) / median(base) })

export const benchmark: Benchmark = {
  name: "in-process",
  title: "A whole step in process, scripted model, one tool that does nothing",
  run
}
