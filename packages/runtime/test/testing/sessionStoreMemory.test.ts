/** The memory adapters pass the tests of every adapter. */
import { BlobStoreMemory, SessionStoreMemory } from "../../src/index.ts"
import { blobStoreSpec } from "../../src/testing/blobStoreSpec.ts"
import { sessionStoreSpec } from "../../src/testing/sessionStoreSpec.ts"

sessionStoreSpec("memory", SessionStoreMemory.layer)
blobStoreSpec("memory", BlobStoreMemory.layer)
