/** How every test of the repository runs: one project, a process per file, two files at a time. */
import { fileURLToPath } from "node:url"
import { defineConfig, type ViteUserConfig } from "vitest/config"
import { SkipReasons } from "./SkipReasons.ts"

type Reporters = NonNullable<ViteUserConfig["test"]>["reporters"]

// Where the run also leaves its counts as JSON.
const report = process.env["BOUGH_TEST_REPORT"]
const counts: Reporters = report === undefined ? [] : [["json", { outputFile: report }]]

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["{packages,apps,examples}/*/test/**/*.test.ts", "test/*.test.ts"],
    setupFiles: [fileURLToPath(new URL("loopbackOnly.ts", import.meta.url))],
    reporters: [["default", { summary: false }], new SkipReasons(), ...counts],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false
  }
})
