/** Servers of the tests as real processes, and a cache for their definitions. */
import { SessionProcess } from "@bough/tool"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Ports } from "../src/client/Ports.ts"
import { noOAuth, type ServerConfig, type StdioTransport } from "../src/ServerConfig.ts"

export const stdio = (script: string, ...args: ReadonlyArray<string>): StdioTransport => ({
  _tag: "Stdio",
  command: process.execPath,
  args: [fileURLToPath(new URL(`servers/${script}`, import.meta.url)), ...args],
  env: {},
  network: false,
  isUnconfined: false,
  limits: {}
})

export const server = (
  name: string,
  transport: ServerConfig["transport"],
  more: Partial<ServerConfig> = {}
): ServerConfig => ({
  name,
  from: "your configuration",
  transport,
  oauth: noOAuth,
  descriptionPrefix: null,
  tiers: [],
  timeoutMillis: 20_000,
  startMillis: 240_000,
  sampling: null,
  ...more
})

export interface Remembering extends Ports {
  readonly notices: ReadonlyArray<string>
  readonly texts: ReadonlyMap<string, string>
  /** The processes that run now. */
  readonly running: ReadonlySet<number>
}

/** Plain processes: running them in a sandbox is tested elsewhere. */
export const ports = (texts = new Map<string, string>(), more: Partial<Ports> = {}): Remembering => {
  const notices: Array<string> = []
  const running = new Set<number>()
  return {
    ...more,
    notices,
    texts,
    running,
    onNotice: (sentence) => notices.push(sentence),
    memory: { recall: (key) => texts.get(key) ?? null, remember: (key, text) => void texts.set(key, text) },
    start: ({ args, command, env }, { onEnd, onOutput }) =>
      Effect.acquireRelease(
        Effect.callback<ReturnType<typeof spawn>, SessionProcess.StartFailed>((resume) => {
          const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: "pipe" })
          child.on("error", ({ message }) => resume(Effect.fail(new SessionProcess.StartFailed({ message }))))
          child.on("spawn", () => {
            if (child.pid !== undefined) running.add(child.pid)
            resume(Effect.succeed(child))
          })
          child.on("exit", (code) => {
            if (child.pid !== undefined) running.delete(child.pid)
            onEnd(`its process ended with exit code ${code}`)
          })
          child.stdout?.setEncoding("utf8").on("data", (text: string) => onOutput("stdout", text))
          child.stderr?.setEncoding("utf8").on("data", (text: string) => onOutput("stderr", text))
          child.stdin?.on("error", () => {})
        }),
        (child) =>
          Effect.callback<void>((resume) => {
            if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
            child.once("exit", () => resume(Effect.void))
            child.kill("SIGKILL")
          })
      ).pipe(Effect.map((child) => ({ write: (text: string) => void child.stdin?.write(text) })))
  }
}
