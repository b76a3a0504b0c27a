/** `vault set`: saves a value. It comes from stdin or from a hidden prompt: arguments can be read by other programs. */
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import { KeySource } from "@bough/vault"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { type CliFailure, exitCode, exitSilently } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as ReadInput from "../../io/ReadInput.ts"
import type { Program } from "../../Program.ts"
import * as OpenVault from "../../vault/OpenVault.ts"

const parameters = {
  name: Shapes.nameArgument("NAME", "Name of the entry and of its variable, such as NPM_TOKEN"),
  key: Shapes.optional(
    Flag.Literals("key", KeySource.literals).pipe(
      Flag.withDescription("Where to keep the key of the vault from now on; a new vault keeps it in a file")
    )
  )
}

const readValue = ({ name: program, stdin, terminal }: Program, name: string): Effect.Effect<Buffer, CliFailure> =>
  terminal.isInteractive
    ? Effect.flatMap(terminal.readHidden(text`Value of ${Escape.line(name)} (hidden): `), (typed) =>
        typed === null ? Effect.fail(exitSilently(exitCode.interrupted)) : Effect.succeed(Buffer.from(typed, "utf8"))
      )
    : Effect.map(
        ReadInput.bytes(stdin(), { subject: "the value", hint: `pipe it in: ${program} vault set ${name} < FILE` }),
        withoutLineEnd
      )

/** Removes the line feed that a pipe adds to a value of one line; a file of several lines is left unchanged. */
const withoutLineEnd = (read: Buffer): Buffer => {
  const line = read.toString("latin1")
  return /^[^\r\n]*\r?\n$/u.test(line) ? read.subarray(0, line.replace(/\r?\n$/u, "").length) : read
}

const set = Effect.fnUntraced(function* (
  program: Program,
  _common: Common,
  { key, name }: CommandOptions<typeof parameters>
) {
  const { vault } = yield* OpenVault.open(program)
  const value = yield* readValue(program, name)
  const isNew = yield* Effect.mapError(vault.set(name, value, key), OpenVault.toCliFailure)
  program.output.note(`${name} is ${isNew ? "saved" : "replaced"} (${value.length} bytes)`)
})

export const command = declare({ parameters, run: set })
