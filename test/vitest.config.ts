/** How every test of the repository runs: processes that take the files of a project in turn, the long ones first. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type ViteUserConfig } from "vitest/config"
import { LongestFirst } from "./LongestFirst.ts"
import { SkipReasons } from "./SkipReasons.ts"

type Reporters = NonNullable<ViteUserConfig["test"]>["reporters"]

// The file for the run's counts as JSON, if it is wanted.
const report = process.env["BOUGH_TEST_REPORT"]
const counts: Reporters = report === undefined ? [] : [["json", { outputFile: report }]]

// The thorough run skips all that `pnpm test` has played.
const isRest = process.env["BOUGH_TEST_THOROUGH"] === "rest"

const root = fileURLToPath(new URL("..", import.meta.url))
// Inherited by every process that a test starts: they share compiled code.
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules/.cache/compiled")

/**
 * The files that load a database of vectors or a neural model: native code that keeps hundreds of megabytes, whose page
 * tables Linux copies each time a process of the tests starts another one. With 400 MB a start takes ten times the
 * processor time.
 */
const native = [
  "packages/memory/test/**/*.test.ts",
  "apps/cli/test/{embeddingModel,indexing,memory,modelOfTheHub}.test.ts"
]

/**
 * The files of packages that start many other programs, in workers that load little else: a worker with the modules of
 * the whole repository takes twice the processor time for each start.
 */
const processes = ["packages/{disk,mcp,pack-files,pack-git,pack-shell,sandbox,snapshots,workspace}/test/**/*.test.ts"]

/** The command line, apart from the gateway: each loads libraries that the other does not need. */
const commandLine = ["apps/cli/test/**/*.test.ts"]

export default defineConfig({
  root,
  test: {
    // A worker has files of one project alone.
    projects: [
      { extends: true, test: { name: "native", include: native } },
      { extends: true, test: { name: "processes", include: processes } },
      { extends: true, test: { name: "cli", include: commandLine, exclude: ["**/node_modules/**", ...native] } },
      {
        extends: true,
        test: {
          name: "all",
          globalSetup: [fileURLToPath(new URL("../apps/gateway/test/page/SharedBrowser.ts", import.meta.url))],
          include: ["{packages,apps,examples}/*/test/**/*.test.ts", "test/*.test.ts"],
          exclude: ["**/node_modules/**", ...native, ...processes, ...commandLine]
        }
      }
    ],
    tags: [
      { name: "thorough", description: "plays more in a thorough run" },
      { name: "thoroughOnly", description: "is played in a thorough run alone" }
    ],
    setupFiles: [fileURLToPath(new URL("loopbackOnly.ts", import.meta.url))],
    reporters: [["default", { summary: false }], ...(isRest ? [] : [new SkipReasons()]), ...counts],
    pool: "forks",
    // While its tests wait, a worker seems idle to V8, which then collects its whole heap again every second. A young
    // generation that may grow saves a fourteenth of the processor time of tests in the process. It begins small,
    // because each start of another process copies the page tables.
    execArgv: ["--no-memory-reducer", "--max-semi-space-size=64"],
    // Five workers suit two processors, because tests of processes, terminals and deadlines mostly wait. With four, both
    // processors waited for a sixth of the run; another worker loads its modules in less than a second.
    maxWorkers: 5,
    // Loading everything again for each file took a third of the time. No test changes its process for those after it.
    isolate: false,
    // Node loads the sources itself: it strips their types, and caches the result in NODE_COMPILE_CACHE. No test replaces
    // a module, for which vitest would parse each test file once more.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Ends a test that hangs. No test sets its own limit, because it may take twenty times as long on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    passWithNoTests: false,
    allowOnly: false
  }
})
