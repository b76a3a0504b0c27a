/** A source for each mistake that the compiler reports, with the position and the message. */

export interface Fault {
  readonly files: Readonly<Record<string, string>>
  /** Line and column. */
  readonly at: string
  readonly message: RegExp
}

const doc = `/** Does something.
 * @tier ReadOnly
 * @replay Safe
 */
`

const fault = (text: string, at: string, message: RegExp): Fault => ({ files: { "tools.ts": doc + text }, at, message })

export const faults: Readonly<Record<string, Fault>> = {
  "a generic": fault("export async function id<T>(value: T): Promise<void> {}\n", "5:26", /id is generic/u),
  "a this": fault("export async function f(this: { x: number }): Promise<void> {}\n", "5:25", /has no this/u),
  "a destructured parameter": fault(
    "export async function f({ x }: { x: number }): Promise<void> {}\n",
    "5:25",
    /destructured/u
  ),
  "a tool in a namespace beside another": fault(
    "export async function f(): Promise<void> {}\n" +
      "export namespace A.B {\n  " +
      doc +
      "  export async function g(): Promise<void> {}\n}\n",
    "11:25",
    /g is inside of a namespace/u
  ),
  "a tool that is not exported, beside another": fault(
    `export async function f(): Promise<void> {}\n${doc}async function g(): Promise<void> {}\n`,
    "10:16",
    /g has the tags of a tool, but is not exported/u
  ),
  "a method of a class, beside a tool": fault(
    `export async function f(): Promise<void> {}\nexport class A {\n  ${doc}  async g(): Promise<void> {}\n}\n`,
    "11:9",
    /g is a method of a class/u
  ),
  "a symbol as a key": fault(
    "export async function f(x: { [Symbol.iterator]: string }): Promise<void> {}\n",
    "5:25",
    /x has a symbol as a key/u
  ),
  "a default that is a variable": fault(
    "export async function f(x = process.argv.length): Promise<void> {}\ndeclare const process: { argv: string[] }\n",
    "5:29",
    /default of x is not a literal/u
  ),
  "capabilities with typeof": {
    files: {
      "tools.ts": `import { Capability, type Uses } from "@bough/tool"\n${doc}export async function f(c: Uses<[typeof Capability.Execution]>): Promise<void> {}\n`
    },
    at: "6:25",
    message: /Uses have no typeof/u
  },
  "a rest parameter": fault("export async function f(...all: string[]): Promise<void> {}\n", "5:25", /rest parameter/u),
  "a function that is not async": fault("export function f(): void {}\n", "5:17", /not an async function/u),
  "a generator without a result": fault(
    "export async function* f(): AsyncGenerator<string> {}\n",
    "5:29",
    /the result is of type any/u
  ),
  "a generator of numbers": fault(
    "export async function* f(): AsyncGenerator<number, void> {}\n",
    "5:29",
    /yields something other than text/u
  ),
  "a missing description": {
    files: { "tools.ts": "export async function f(): Promise<void> {}\n" },
    at: "1:23",
    message: /no description/u
  },
  "a missing tier": {
    files: { "tools.ts": "/** Does. */\nexport async function f(): Promise<void> {}\n" },
    at: "2:23",
    message: /@tier is missing/u
  },
  "a tier that does not exist": {
    files: { "tools.ts": "/** Does.\n * @tier Root\n */\nexport async function f(): Promise<void> {}\n" },
    at: "4:23",
    message: /@tier Root does not exist/u
  },
  "a missing replay": {
    files: { "tools.ts": "/** Does.\n * @tier ReadOnly\n */\nexport async function f(): Promise<void> {}\n" },
    at: "4:23",
    message: /@replay is missing/u
  },
  "a Date": fault("export async function f(at: Date): Promise<void> {}\n", "5:25", /at is of type Date/u),
  bytes: fault(
    "export async function f(): Promise<Uint8Array> { return new Uint8Array() }\n",
    "5:28",
    /the result is of type Uint8Array/u
  ),
  "a wrapper of a text": fault(
    "export async function f(x: String): Promise<void> {}\n",
    "5:25",
    /x is of type String, which has no JSON form/u
  ),
  "a function": fault("export async function f(g: () => void): Promise<void> {}\n", "5:25", /no JSON form/u),
  "a bigint inside an object": fault(
    "export async function f(o: { n: bigint }): Promise<void> {}\n",
    "5:25",
    /o\.n is of type bigint/u
  ),
  "an any": fault("export async function f(x: any): Promise<void> {}\n", "5:25", /x is of type any/u),
  "a type that holds itself": fault(
    "export async function f(t: Tree): Promise<void> {}\ninterface Tree { next: Tree | null }\n",
    "5:25",
    /t\.next holds itself/u
  ),
  "an undefined": fault(
    "export async function f(x: string | undefined): Promise<void> {}\n",
    "5:25",
    /may be undefined/u
  ),
  "an infinite default": fault(
    "export async function f(x: number = -1e999): Promise<void> {}\n",
    "5:37",
    /default of x is not a literal/u
  ),
  "an infinite literal": fault(
    "export async function f(x: Array<1 | 1e999>): Promise<void> {}\n",
    "5:38",
    /the number is infinite/u
  ),
  "an infinite literal behind an alias": fault(
    "export async function f(x: Size): Promise<void> {}\ntype Size = 1 | 1e999\n",
    "5:25",
    /its type holds a number that is infinite/u
  ),
  "an infinite literal inside an interface": fault(
    "export async function f(x: { sizes: Array<Sized> }): Promise<void> {}\ninterface Sized { size: -1e999 | null }\n",
    "5:25",
    /its type holds a number that is infinite/u
  ),
  "an infinite literal in a result's alias": fault(
    "export async function f(): Promise<Size> { return 1 }\ntype Size = 1 | 1e999\n",
    "5:28",
    /its type holds a number that is infinite/u
  ),
  "an infinite member of an enum": fault(
    "export async function f(x: Size): Promise<void> {}\nenum Size { small = 1, huge = 1 / 0 }\n",
    "5:25",
    /its type holds a number that is infinite/u
  ),
  "an infinite constant as a default": fault(
    "export async function f(x: number = huge): Promise<void> {}\nconst huge = 1e999\n",
    "5:37",
    /its type holds a number that is infinite/u
  ),
  "a default that is computed": fault(
    "export async function f(x = Date.now()): Promise<void> {}\n",
    "5:29",
    /default of x is not a literal/u
  ),
  "a param that is not there": {
    files: {
      "tools.ts":
        "/** Does.\n * @tier ReadOnly\n * @replay Safe\n * @param y what\n */\nexport async function f(x: string): Promise<void> {}\n"
    },
    at: "6:23",
    message: /@param y names no parameter/u
  },
  "a result without a JSON form": fault(
    "export async function f(): Promise<Map<string, string>> {\n  return new Map()\n}\n",
    "5:28",
    /the result is of type Map/u
  ),
  "two tools of one name": fault(
    `export async function getUrl(): Promise<void> {}\n${doc}export async function getURL(): Promise<void> {}\n`,
    "10:23",
    /two tools are named get_url/u
  ),
  overloads: fault(
    "export async function f(x: string): Promise<void>\nexport async function f(x: number): Promise<void>\nexport async function f(x: string | number): Promise<void> {}\n",
    "7:23",
    /f has overloads/u
  ),
  "a function without a name": fault("export default async function (): Promise<void> {}\n", "5:1", /has no name/u),
  "a function of another file": {
    files: {
      "tools.ts": `export { f } from "./other.ts"\n`,
      "other.ts": `${doc}export async function f(): Promise<void> {}\n`
    },
    at: "1:10",
    message: /f is written in another file/u
  },
  "all functions of another file": {
    files: {
      "tools.ts": `export * from "./other.ts"\n`,
      "other.ts": `${doc}export async function f(): Promise<void> {}\n`
    },
    at: "1:1",
    message: /passes on functions of another file, such as f/u
  },
  "a constant that is not a function": fault(
    "export const f = [async (): Promise<void> => {}][0]\n",
    "5:14",
    /f has the tags of a tool, but is not a function/u
  ),
  "a file without functions": {
    files: { "tools.ts": "export const x = 1\n" },
    at: "1:1",
    message: /exports no function/u
  },
  "a branded type": fault(
    'export async function f(id: Id): Promise<void> {}\ntype Id = string & { readonly brand: "Id" }\n',
    "5:25",
    /id is the branded type Id/u
  ),
  "a class": fault(
    "export async function f(p: P): Promise<void> {}\nclass P {\n  x = 1\n}\n",
    "5:25",
    /p is of the class P/u
  ),
  "a method": fault("export async function f(p: { m(): void }): Promise<void> {}\n", "5:25", /no JSON form/u),
  "an unknown": fault("export async function f(p: unknown): Promise<void> {}\n", "5:25", /p is of type unknown/u),
  "an object without properties": fault(
    "export async function f(p: {}): Promise<void> {}\n",
    "5:25",
    /p is of type \{\}/u
  ),
  "a template literal": fault("export async function f(p: `v${number}`): Promise<void> {}\n", "5:25", /no JSON form/u),
  "a tuple with a rest": fault(
    "export async function f(p: [number, ...string[]]): Promise<void> {}\n",
    "5:25",
    /tuple with a rest/u
  ),
  "keys that are numbers": fault(
    "export async function f(p: { [n: number]: string }): Promise<void> {}\n",
    "5:25",
    /named and free keys/u
  ),
  "a record whose values may be undefined": fault(
    "export async function f(p: Partial<Record<string, number>>): Promise<void> {}\n",
    "5:25",
    /p\[\] may be undefined/u
  ),
  "a property that may be undefined": fault(
    "export async function f(p: { a: string | undefined }): Promise<void> {}\n",
    "5:25",
    /p\.a may be undefined/u
  ),
  "a result that may be undefined": fault(
    "export async function f(): Promise<string | undefined> {\n  return undefined\n}\n",
    "5:28",
    /the result may be undefined/u
  ),
  "a name that models cannot call": fault(
    "export async function grüße(): Promise<void> {}\n",
    "5:23",
    /gives the tool the name grüße/u
  ),
  "a param that names no part": {
    files: {
      "tools.ts":
        "/** Does.\n * @tier ReadOnly\n * @replay Safe\n * @param x.z what\n */\nexport async function f(x: { y: string }): Promise<void> {}\n"
    },
    at: "6:23",
    message: /@param x\.z names no parameter/u
  },
  "a writer for the model that is not there": {
    files: {
      "tools.ts":
        "/** Does. @tier ReadOnly @replay Safe @forModel nothing */\nexport async function f(): Promise<void> {}\n"
    },
    at: "2:23",
    message: /@forModel nothing names no exported function/u
  },
  "a tier that is written twice": {
    files: {
      "tools.ts": "/** Does. @tier ReadOnly @tier System @replay Safe */\nexport async function f(): Promise<void> {}\n"
    },
    at: "2:23",
    message: /@tier is written 2 times/u
  },
  "a context that is not the last parameter": {
    files: {
      "tools.ts": `import type { Uses } from "@bough/tool"\n${doc}export async function f({ signal }: Uses, x: string): Promise<void> {}\n`
    },
    at: "6:25",
    message: /the context is not the last parameter/u
  },
  "a tier below the floor of a capability": {
    files: {
      "tools.ts": `import { Capability, type Uses } from "@bough/tool"\n${doc}export async function f(c: Uses<[Capability.Execution]>): Promise<void> {}\n`
    },
    at: "6:23",
    message: /the tier is at least System, the floor of Execution/u
  },
  "a source that is an output": {
    files: { "x.tools.ts": "export const x = 1\n" },
    at: "1:1",
    message: /is an output of this compiler/u
  },
  "a declaration file": { files: { "x.d.ts": "export {}\n" }, at: "1:1", message: /is not TypeScript source/u },
  "an error of TypeScript": fault(
    "export async function f(): Promise<number> {\n  return 'x'\n}\n",
    "6:3",
    /not assignable/u
  )
}
