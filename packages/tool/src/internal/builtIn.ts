/** The capabilities that Bough declares itself: their floors and names, read from the declarations. */
import { type Any, type Floor, shortName } from "../CapabilityClass.ts"
import { Attachments } from "../Attachments.ts"
import { Chain } from "../Chain.ts"
import { Channel } from "../Channel.ts"
import { CodeIntelligence } from "../CodeIntelligence.ts"
import { Environment } from "../Environment.ts"
import { Execution } from "../Execution.ts"
import { History } from "../History.ts"
import { MemoryRead } from "../MemoryRead.ts"
import { MemoryWrite } from "../MemoryWrite.ts"
import { NetworkRead } from "../NetworkRead.ts"
import { NetworkWrite } from "../NetworkWrite.ts"
import { RepositoryPush } from "../RepositoryPush.ts"
import { RepositoryRead } from "../RepositoryRead.ts"
import { RepositoryWrite } from "../RepositoryWrite.ts"
import { Scratchpad } from "../Scratchpad.ts"
import { Spawn } from "../Spawn.ts"
import { SpilledOutput } from "../SpilledOutput.ts"
import { Vault } from "../Vault.ts"
import { WorkspaceRead } from "../WorkspaceRead.ts"
import { WorkspaceWrite } from "../WorkspaceWrite.ts"

const builtIn: ReadonlyArray<Any> = [
  Attachments,
  Chain,
  Channel,
  CodeIntelligence,
  Environment,
  Execution,
  History,
  MemoryRead,
  MemoryWrite,
  NetworkRead,
  NetworkWrite,
  RepositoryPush,
  RepositoryRead,
  RepositoryWrite,
  Scratchpad,
  Spawn,
  SpilledOutput,
  Vault,
  WorkspaceRead,
  WorkspaceWrite
]

const floors: ReadonlyMap<string, Floor> = new Map(builtIn.map(({ floor, key }) => [key, floor]))

/** The floor of a capability: a built-in one has its own, whatever an untyped declaration claims. */
export const floorOf = ({ floor, key }: Any): Floor => floors.get(key) ?? floor

/** Short names that an own capability cannot take: the built-in ones, and what an async handler gets beside capabilities. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...builtIn.map(({ key }) => shortName(key)),
  "Invocation",
  "Progress",
  "invocation",
  "signal"
])

/** Namespaces whose services mean something to the dispatcher or to Effect. */
export const reservedNamespace = /^(?:@bough|~?@?effect)\//u
