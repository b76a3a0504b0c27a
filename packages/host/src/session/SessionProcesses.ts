/**
 * Starts the long-lived processes of a session: in the sandbox of its commands, within their limits, with access to the
 * hosts that they name.
 */
import { CommandInput, type Sandbox } from "@bough/sandbox"
import { SessionProcess, type ToolContext } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Settings } from "../config/Settings.ts"

/** `role` names the kind of process in messages. */
export const starter =
  (settings: Settings, sandbox: Effect.Effect<Sandbox.Sandbox>, role: string): SessionProcess.Start =>
  (program, { onEnd, onOutput }) =>
    Effect.gen(function* () {
      const { args, command, cwd, env, isReadOnly = false, isUnconfined, limits, withheld } = program
      if (isUnconfined && settings.sandbox.commands.confinedOnly === true) {
        return yield* new SessionProcess.StartFailed({ message: `a ${role} may run only in the sandbox here` })
      }
      const input = CommandInput.make()
      const {
        workspace: { additionalDirectories, repositoryRoot: repository, root }
      } = settings
      const run = (yield* sandbox).service({ root, repository, additionalDirectories, writable: !isReadOnly })({
        argv: [command, ...args],
        ...(cwd === undefined ? {} : { cwd }),
        variables: env,
        limits: {
          dataBytes: limits.memoryBytes ?? null,
          cpuSeconds: limits.cpuSeconds ?? null,
          openFiles: limits.openFiles ?? null,
          processes: limits.processes ?? null
        },
        ...(withheld === undefined ? {} : { withheld }),
        admit: admitOf(program, role),
        isUnconfined,
        input,
        onOutput: (stream, text) => Effect.sync(() => onOutput(stream, text))
      })
      const stuck = yield* Deferred.make<never, Error>()
      const running = Effect.raceFirst(run, Deferred.await(stuck))
      yield* Effect.forkScoped(Effect.onExit(running, (exit) => Effect.sync(() => onEnd(endOf(exit)))))
      return {
        write: (text: string) => {
          CommandInput.write(input, text, false)
          if (CommandInput.unread(input) > maxUnread) Deferred.doneUnsafe(stuck, Effect.fail(new InputUnread()))
        }
      }
    })

/** The largest input that a process may leave unread: each of its requests is answered, whether it reads or not. */
const maxUnread = 64 * 1024 * 1024

class InputUnread extends Error {
  override readonly message = `it does not read its input, of which ${maxUnread} bytes wait`
}

const endOf = (
  exit: Exit.Exit<{ readonly exitCode: number | null; readonly signal: string | null }, Error>
): string => {
  if (Exit.isSuccess(exit)) {
    const { exitCode, signal } = exit.value
    return exitCode === null
      ? `its process ended by ${signal ?? "a signal"}`
      : `its process ended with exit code ${exitCode}`
  }
  const failure = Cause.squash(exit.cause)
  return failure instanceof Error && failure.message !== "" ? failure.message : "its process was stopped"
}

/** Null: the process reaches no host. */
const admitOf = ({ network }: SessionProcess.Program, role: string): ToolContext.AdmitHost | null => {
  if (network === false) return null
  if (network === true) return () => Effect.succeed(null)
  const hosts = new Set(network.map((host) => host.toLowerCase()))
  return ({ host, port }) =>
    Effect.succeed(
      hosts.has(host) || hosts.has(`${host}:${port}`) ? null : `${host} is not in the network list of this ${role}`
    )
}
