/** The pack satisfies the contract: schemas, refusals, tier, previews, replay, results, errors, interruption. */
import { describePack, packSpec } from "@bough/tool/testing"
import { describe, it } from "node:test"
import { pack } from "../src/index.ts"

const checks = packSpec(pack, { samples: { count_words: [{ text: "three small words" }] } })
describePack("my-pack", checks, { describe, it })
