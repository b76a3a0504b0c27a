/** A source for each mistake that the compiler names, with the place and the message. */

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
  "a rest parameter": fault("export async function f(...all: string[]): Promise<void> {}\n", "5:25", /rest parameter/u),
  "a function that is not async": fault("export function f(): void {}\n", "5:17", /no async function/u),
  "a generator": fault("export async function* f(): AsyncGenerator<string> {}\n", "5:24", /no async function/u),
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
  "a default that is computed": fault(
    "export async function f(x = Date.now()): Promise<void> {}\n",
    "5:29",
    /default of x is no literal/u
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
  "an error of TypeScript": fault(
    "export async function f(): Promise<number> {\n  return 'x'\n}\n",
    "6:3",
    /not assignable/u
  )
}
