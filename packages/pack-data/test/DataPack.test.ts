import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { DataPack } from "../src/index.ts"

packFilesSpec("DataPack", DataPack.all, new URL("../src/", import.meta.url))
