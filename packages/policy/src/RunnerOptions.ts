/**
 * Options of test runners, checkers and bundlers: settings and plugins are programs, and some options write or empty a
 * directory. The values that are built into a program are harmless: it loads no module for them.
 */
import type { ProgramOptions } from "./ProgramOptions.ts"

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** Matches one or more of the values, with commas between them. */
const oneOf = (text: string): RegExp =>
  new RegExp(`^(?:${text.split(" ").join("|")})(?:,(?:${text.split(" ").join("|")}))*$`, "u")

const harmless = (values: Readonly<Record<string, RegExp>>): ReadonlyMap<string, RegExp> =>
  new Map(Object.entries(values).flatMap(([names, value]) => names.split(" ").map((name) => [name, value] as const)))

/** The options that the runners of JavaScript share. */
const shared =
  "config rootDir root dir globalSetup globalTeardown setupFiles setupFilesAfterEnv runner testRunner testEnvironment transform resolver " +
  "reporters reporter coverageDirectory outputFile output-file output output-path outDir cacheDirectory cache-location cache-file plugin " +
  "plugins resolve-plugins-relative-to rulesdir parser format require import loader experimental-loader env-file preset env tsconfig"

interface OfRunner {
  readonly more?: string
  readonly letters?: string
  readonly values?: Readonly<Record<string, RegExp>>
}

const ofRunner = ({ letters = "", more, values = {} }: OfRunner): ProgramOptions => ({
  long: words(more === undefined ? shared : `${shared} ${more}`),
  short: new Map([["", letters]]),
  readsWholeNames: true,
  hasDottedSettings: true,
  harmless: harmless({ ...values, ...switches })
})

const scalar = /^(?:true|false|\d+(?:\.\d+)?%?)$/u

/** Settings that runners write with dots and that name no file and no program. */
const switches: Readonly<Record<string, RegExp>> = {
  "coverage.enabled coverage.all coverage.skipFull coverage.thresholds.lines coverage.thresholds.functions": scalar,
  "coverage.thresholds.branches coverage.thresholds.statements coverage.thresholds.100": scalar,
  "coverage.provider": /^(?:v8|istanbul)$/u,
  "coverage.reporter": oneOf("text text-summary json json-summary html lcov lcovonly clover cobertura none"),
  "browser.enabled browser.headless typecheck.enabled typecheck.only sequence.shuffle sequence.seed": scalar,
  "sequence.concurrent poolOptions.forks.singleFork poolOptions.threads.singleThread": scalar
}

const coverageReporters = oneOf("none text text-summary json json-summary html lcov lcovonly clover cobertura teamcity")

export const runnerOptions: ReadonlyMap<string, ProgramOptions> = new Map(
  Object.entries({
    pytest: {
      long: words(
        "rootdir confcutdir config-file basetemp override-ini pythonwarnings log-file junit-xml junitxml resultlog pdbcls"
      ),
      short: new Map(Object.entries({ "": "pcoW" })),
      harmless: harmless({
        // Turns plugins off, and names built-in classes of warnings.
        p: /^no:[\w-]+$/u,
        "W pythonwarnings": /^(?:error|ignore|always|default|module|once)(?:::(?:[A-Za-z]*Warning)?)?$/u,
        "o override-ini": /^log_cli(?:_level)?=\w+$/u
      })
    },
    jest: ofRunner({
      more:
        "filter watchPlugins testSequencer snapshotSerializers prettierPath modulePaths moduleDirectories moduleNameMapper " +
        "testResultsProcessor dependencyExtractor haste globals roots projects coverageReporters",
      letters: "c",
      values: {
        reporters: oneOf("default summary github-actions"),
        "env testEnvironment": /^(?:node|jsdom)$/u,
        coverageReporters
      }
    }),
    vitest: ofRunner({
      more:
        "environment pool execArgv diff configLoader workspace customProviderModule attachmentsDir fsModuleCachePath " +
        "snapshotEnvironment",
      letters: "cr",
      values: {
        reporter: oneOf(
          "default agent minimal basic blob verbose dot json tap tap-flat junit tree hanging-process github-actions"
        ),
        environment: /^(?:node|jsdom|happy-dom|edge-runtime)$/u,
        pool: /^(?:threads|forks|vmThreads|vmForks)$/u
      }
    }),
    eslint: ofRunner({
      more: "suppressions-location",
      letters: "cof",
      values: {
        "f format": /^(?:stylish|json|html|json-with-metadata)$/u,
        env: oneOf("browser node commonjs es6 es2017 es2020 es2021 es2022 es2024 worker jest mocha")
      }
    }),
    prettier: ofRunner({
      more: "plugin-search-dir",
      values: {
        parser:
          /^(?:babel|babel-flow|babel-ts|flow|typescript|espree|meriyah|acorn|css|less|scss|json|json5|jsonc|json-stringify|graphql|markdown|mdx|vue|yaml|html|angular|lwc|glimmer)$/u
      }
    }),
    mocha: ofRunner({
      more: "ui node-option package reporter-option reporter-options",
      letters: "rRunO",
      values: {
        "R reporter": /^(?:spec|dot|nyan|tap|landing|list|progress|json|json-stream|min|doc|markdown)$/u,
        "u ui": /^(?:bdd|tdd|qunit|exports)$/u
      }
    }),
    playwright: ofRunner({
      letters: "c",
      values: { reporter: oneOf("list line dot html json junit null github blob") }
    }),
    webpack: ofRunner({
      more: "extends config-registration module-rules-loader module-rules-use resolve-loader-modules",
      letters: "corem",
      values: { env: /^[\w-]+$/u }
    }),
    rollup: ofRunner({
      more: "file configPlugin",
      letters: "codp",
      values: { format: /^(?:es|esm|cjs|iife|umd|amd|system)$/u }
    }),
    vite: ofRunner({ more: "configLoader", letters: "c" }),
    tsc: {
      long: words("outDir outFile declarationDir project p build b tsBuildInfoFile generateTrace generateCpuProfile"),
      isSingleDash: true,
      readsWholeNames: true,
      harmless: harmless({ "project p build b": /^(?:\.|(?:\.\/)?tsconfig[\w.-]*\.json)$/u })
    },
    mypy: {
      long: words(
        "python-executable config-file cache-dir custom-typeshed-dir junit-xml html-report xml-report txt-report"
      )
    },
    ruff: { long: words("config cache-dir output-file"), short: new Map(Object.entries({ "": "o" })) }
  })
)
