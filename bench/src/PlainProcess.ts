/**
 * Starts the processes of servers without a sandbox, because only the overhead between servers and a call is measured.
 */
import { SessionProcess } from "@bough/tool"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"

export const start: SessionProcess.Start = ({ args, command, env }, { onEnd, onOutput }) =>
  Effect.acquireRelease(
    Effect.callback<ChildProcess, SessionProcess.StartFailed>((resume) => {
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: "pipe" })
      child.on("error", ({ message }) => resume(Effect.fail(new SessionProcess.StartFailed({ message }))))
      child.on("spawn", () => resume(Effect.succeed(child)))
      child.on("exit", (code) => onEnd(`its process ended with exit code ${code}`))
      child.stdout.setEncoding("utf8").on("data", (text: string) => onOutput("stdout", text))
      child.stderr.setEncoding("utf8").on("data", (text: string) => onOutput("stderr", text))
      child.stdin.on("error", () => {})
    }),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(Effect.map((child) => ({ write: (text: string) => void child.stdin?.write(text) })))
