/**
 * Kills a gateway under load as often as the argument says, by hand: the suite does it twice, with two sessions instead
 * of three. node apps/gateway/test/killRounds.ts 50
 */
import * as Effect from "effect/Effect"
import { killedUnderLoad } from "./killedUnderLoad.ts"

const rounds = Number(process.argv[2] ?? 50)
const { acknowledged, decisions, entries } = await Effect.runPromise(Effect.scoped(killedUnderLoad(rounds)))
process.stdout.write(
  `killed ${rounds} times: ${acknowledged} acknowledged messages, ${decisions} decisions, ${entries} entries, each once\n`
)
