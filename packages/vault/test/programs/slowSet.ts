/** Saves an entry under a passphrase that is never typed. Argument: the directory of a vault. */
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { Vault } from "../../src/index.ts"

const [directory] = process.argv.slice(2)
const passphrase = () =>
  Effect.andThen(
    Effect.sync(() => console.log("asked")),
    Effect.as(Effect.sleep("1 hour"), null)
  )
void Effect.runPromise(Vault.make({ directory, passphrase }).set("SLOW_KEY", Buffer.from("long-enough"), "passphrase"))
