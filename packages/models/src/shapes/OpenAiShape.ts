/**
 * GPT's `apply_patch`, `exec_command` and `write_stdin`. A command that still runs after `yield_time_ms` continues in the
 * background.
 */
import * as ApplyPatch from "./ApplyPatch.ts"
import {
  parametersWith,
  type Arguments,
  type Call,
  withoutAbsent,
  integer,
  objectOf,
  text,
  type ToolShape
} from "./ToolShape.ts"

const defaultYieldMillis = 10_000

/**
 * Removes fields of Codex's own tool that have no equivalent here: commands have no terminal and no login shell, and
 * outputs have a fixed limit.
 */
const withoutUnsupported = ({
  login: _,
  max_output_tokens: __,
  shell: ___,
  tty: ____,
  ...rest
}: Arguments): Arguments => rest

const toRunCommand = ({ arguments: { cmd, workdir, yield_time_ms, ...rest } }: Call) => [
  {
    name: "run_command",
    arguments: withoutAbsent({
      ...withoutUnsupported(rest),
      command: cmd,
      cwd: workdir,
      timeoutMillis: yield_time_ms ?? defaultYieldMillis,
      leaveRunning: true
    })
  }
]

const toCommandInput = ({ arguments: { chars = "", session_id, yield_time_ms } }: Call) => [
  chars === ""
    ? { name: "read_command_output", arguments: withoutAbsent({ commandId: session_id, waitMillis: yield_time_ms }) }
    : {
        name: "write_command_input",
        arguments: withoutAbsent({ commandId: session_id, text: chars, waitMillis: yield_time_ms })
      }
]

export const OpenAiShape: ToolShape = {
  name: "openai",
  tools: {
    exec_command: ["run_command"],
    write_stdin: ["write_command_input", "read_command_output"],
    apply_patch: ["edit_file", "write_file"]
  },
  declare: (name, ours) => {
    if (name === "apply_patch") {
      return {
        name,
        description:
          "Change files by a patch: *** Begin Patch, then *** Add File: P (lines with +), *** Delete File: P or *** Update File: P (optional *** Move to: P; hunks of @@ and lines with blank, - or +), then *** End Patch",
        parameters: objectOf({ input: text("The whole patch") }, ["input"])
      }
    }
    if (name === "write_stdin") {
      return {
        name,
        description: "Write to a running command and return what it says; empty chars only read",
        parameters: objectOf(
          { session_id: text("Of the running command"), chars: text("Sent unchanged"), yield_time_ms: integer("Wait") },
          ["session_id"]
        )
      }
    }
    return {
      name,
      description: "Run a command in bash; one that takes longer continues and gives its session_id",
      parameters: objectOf(
        {
          cmd: text("The command"),
          workdir: text("Relative to the workspace"),
          yield_time_ms: integer(`Longest wait; default ${defaultYieldMillis}`),
          ...parametersWith(ours.get("run_command"), ["command", "argv", "cwd", "timeoutMillis", "leaveRunning"])
        },
        ["cmd"]
      )
    }
  },
  toOurs: (call) => {
    if (call.name === "exec_command") return toRunCommand(call)
    if (call.name === "write_stdin") return toCommandInput(call)
    const { input } = call.arguments
    return typeof input === "string" ? ApplyPatch.parse(input) : "input must be the patch, as a text"
  },
  toTheirs: (calls) => {
    const [call] = calls
    const { command, commandId, cwd, leaveRunning: _, text: chars, timeoutMillis, waitMillis, ...rest } = call.arguments
    if (call.name === "run_command") {
      const fields = { cmd: command, workdir: cwd, yield_time_ms: timeoutMillis, ...rest }
      return command === undefined ? null : { name: "exec_command", arguments: withoutAbsent(fields) }
    }
    if (call.name === "write_command_input" || call.name === "read_command_output") {
      return {
        name: "write_stdin",
        arguments: withoutAbsent({ session_id: commandId, chars, yield_time_ms: waitMillis })
      }
    }
    const patch = ApplyPatch.print(calls)
    return patch === null ? null : { name: "apply_patch", arguments: { input: patch } }
  }
}
