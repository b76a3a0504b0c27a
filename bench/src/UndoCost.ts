/**
 * The cost of recording the state of a workspace around a call: without changes, with changed files, the first time,
 * and of an undo; compared with `git add -A` with its directory and index outside of the workspace, which records less.
 */
import { WorkspaceSnapshots } from "@bough/snapshots"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { atMost, type Benchmark, figure, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import { interleave, median, quantile } from "./Statistics.ts"

const unchangedMillis = 10

const filesInDirectory = 20

/** Writes sources of about a kilobyte, a few in each directory. */
const fill = (root: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => {
    const directory = join(
      root,
      "src",
      `part-${Math.floor(at / filesInDirectory / 25)}`,
      `module-${Math.floor(at / filesInDirectory)}`
    )
    if (at % filesInDirectory === 0) mkdirSync(directory, { recursive: true })
    const file = join(directory, `file-${at}.ts`)
    writeFileSync(file, `export const value${at} = ${at}\n`.repeat(30))
    return file
  })

const measure = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const run: Benchmark["run"] = async ({ folder, quick }) => {
  const rows: Array<Row> = []
  for (const count of quick ? [500, 2_000] : [1_000, 10_000])
    rows.push(...(await measureAt(join(folder, String(count)), count, quick ? 5 : 30)))
  return {
    rows,
    notes: [
      "Both record into a store outside of the workspace. git keeps no nested repository, no empty directory and no file that it ignores, and rewrites contents by the attributes that the workspace brings.",
      "Looked through: every file is looked at, as on machines that report no changes. Unchanged runs are a turn that changes nothing: the state before a call, asked for again."
    ],
    notMeasured: []
  }
}

const measureAt = async (folder: string, count: number, rounds: number): Promise<ReadonlyArray<Row>> => {
  const root = join(folder, "workspace")
  const files = fill(root, count)
  const gitDirectory = join(folder, "git")
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, {
      cwd: root,
      env: {
        PATH: process.env["PATH"],
        GIT_DIR: gitDirectory,
        GIT_WORK_TREE: root,
        GIT_INDEX_FILE: join(folder, "index")
      },
      stdio: "ignore"
    })
  git("init", "-q")
  const scope = Effect.runSync(Scope.make())
  const open = (name: string, isWatching: boolean) =>
    Effect.runPromise(
      Effect.provideService(
        WorkspaceSnapshots.make({ root, directory: join(folder, name), isWatching }),
        Scope.Scope,
        scope
      )
    )
  const watched = await open("watched", true)
  const looking = await open("looking", false)
  const take = (snapshots: typeof watched) => Effect.runPromise(snapshots.before)
  const label = (what: string): string => `${count} files: ${what}`

  const first = { ours: await measure(() => take(watched)), git: await measure(async () => git("add", "-A")) }
  // Files that had changed just before they were read are read once more.
  await new Promise((resolve) => setTimeout(resolve, 200))
  await take(watched)
  await take(looking)

  const unchanged = await interleave(rounds, {
    ours: () => measure(() => take(watched)),
    looking: () => measure(() => take(looking)),
    git: () => measure(async () => git("add", "-A"))
  })
  const before = await take(watched)
  const change = (round: number): void => {
    for (let at = 0; at < 10; at++)
      writeFileSync(files[(round * 37 + at * 11) % files.length], `changed ${round} ${at}\n`)
  }
  let round = 0
  const changed = await interleave(rounds, {
    ours: () => {
      change(round++)
      return measure(() => take(watched))
    },
    git: () => {
      change(round++)
      return measure(async () => git("add", "-A"))
    }
  })
  const after = await take(watched)
  const calls = [{ turn: 1, commit: 1, before, after }]
  const undo = await measure(() =>
    Effect.runPromise(watched.undo({ session: "bench", calls, turn: null, isForced: false }))
  )
  check(
    files.every((file, at) => readFileSync(file, "utf8").startsWith(`export const value${at} `)),
    "every file is back"
  )
  await Effect.runPromise(Scope.close(scope, Exit.void))
  return [
    {
      label: label("nothing changed"),
      ratio: median(unchanged.ours) / median(unchanged.git),
      figures: [
        figure("Bough", median(unchanged.ours), "ms"),
        figure("p95", quantile(unchanged.ours, 0.95), "ms"),
        figure("looked through", median(unchanged.looking), "ms"),
        figure("git add -A", median(unchanged.git), "ms")
      ],
      aim: atMost(median(unchanged.ours), unchangedMillis, `≤ ${unchangedMillis} ms`)
    },
    {
      label: label("ten files changed"),
      ratio: median(changed.ours) / median(changed.git),
      figures: [figure("Bough", median(changed.ours), "ms"), figure("git add -A", median(changed.git), "ms")],
      aim: null
    },
    {
      label: label("the first state"),
      ratio: first.ours / first.git,
      figures: [figure("Bough", first.ours, "ms"), figure("git add -A", first.git, "ms")],
      aim: null
    },
    {
      label: label("undo of all changes"),
      ratio: null,
      figures: [figure("Bough", undo, "ms")],
      aim: null
    }
  ]
}

export const benchmark: Benchmark = { name: "undo", title: "Recording states of a workspace", run }
