/** The memory adapters pass what every adapter must. */
import { BlobStoreMemory, SessionStoreMemory } from "../../src/index.ts"
import { blobStoreSpec } from "../../src/testing/blobStoreSpec.ts"
import { sessionStoreSpec } from "../../src/testing/sessionStoreSpec.ts"

sessionStoreSpec("memory", SessionStoreMemory.layer)
blobStoreSpec("memory", BlobStoreMemory.layer)
