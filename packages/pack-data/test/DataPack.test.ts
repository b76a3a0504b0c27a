import { packSpec } from "@bough/tool/testing/packSpec"
import { DataPack } from "../src/index.ts"

packSpec("DataPack", DataPack.all, new URL("../src/", import.meta.url))
