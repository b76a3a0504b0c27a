/** The memory adapters pass what every adapter must. */
import { BlobStoreMemory, SessionStoreMemory } from "@bough/runtime"
import { blobStoreSpec } from "../src/blobStoreSpec.ts"
import { sessionStoreSpec } from "../src/sessionStoreSpec.ts"

sessionStoreSpec("memory", SessionStoreMemory.layer)
blobStoreSpec("memory", BlobStoreMemory.layer)
