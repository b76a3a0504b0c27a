/** Language servers that are used without configuration if they are installed. */
import { defaultLimits, extensionOf, type ServerConfig } from "./ServerConfig.ts"

interface Variant {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The program counts as a server only if its npm package has at least this major version. */
  readonly needs?: { readonly npmPackage: string; readonly major: number }
}

interface KnownServer {
  readonly name: string
  readonly extensions: ReadonlyArray<string>
  /** Alternatives in order of preference: the first that is installed is used. */
  readonly variants: readonly [Variant, ...ReadonlyArray<Variant>]
  /** The command that installs one of the variants. */
  readonly install: string
}

const stdio = ["--stdio"]

export const knownServers: ReadonlyArray<KnownServer> = [
  {
    name: "typescript",
    extensions: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
    variants: [
      { command: "tsc", args: ["--lsp", "--stdio"], needs: { npmPackage: "typescript", major: 7 } },
      { command: "typescript-language-server", args: stdio },
      { command: "vtsls", args: stdio }
    ],
    install: "npm install --save-dev typescript-language-server typescript"
  },
  {
    name: "python",
    extensions: ["py", "pyi"],
    variants: [
      { command: "pyright-langserver", args: stdio },
      { command: "basedpyright-langserver", args: stdio },
      { command: "pylsp", args: [] }
    ],
    install: "npm install --save-dev pyright"
  },
  {
    name: "go",
    extensions: ["go"],
    variants: [{ command: "gopls", args: [] }],
    install: "go install golang.org/x/tools/gopls@latest"
  },
  {
    name: "rust",
    extensions: ["rs"],
    variants: [{ command: "rust-analyzer", args: [] }],
    install: "rustup component add rust-analyzer"
  },
  {
    name: "clangd",
    extensions: ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"],
    variants: [{ command: "clangd", args: [] }],
    install: "apt-get install clangd"
  },
  {
    name: "java",
    extensions: ["java"],
    variants: [{ command: "jdtls", args: [] }],
    install: "install Eclipse JDT Language Server, the program jdtls"
  },
  {
    name: "ruby",
    extensions: ["rb", "rake"],
    variants: [
      { command: "ruby-lsp", args: [] },
      { command: "solargraph", args: ["stdio"] }
    ],
    install: "gem install ruby-lsp"
  },
  {
    name: "php",
    extensions: ["php"],
    variants: [
      { command: "intelephense", args: stdio },
      { command: "phpactor", args: ["language-server"] }
    ],
    install: "npm install --save-dev intelephense"
  },
  {
    name: "csharp",
    extensions: ["cs"],
    variants: [{ command: "csharp-ls", args: [] }],
    install: "dotnet tool install --global csharp-ls"
  },
  {
    name: "bash",
    extensions: ["sh", "bash"],
    variants: [{ command: "bash-language-server", args: ["start"] }],
    install: "npm install --save-dev bash-language-server"
  },
  {
    name: "lua",
    extensions: ["lua"],
    variants: [{ command: "lua-language-server", args: [] }],
    install: "install lua-language-server"
  },
  { name: "zig", extensions: ["zig"], variants: [{ command: "zls", args: [] }], install: "install zls" }
]

/** Returns how to install a server for a file; null: none is known. */
export const installHint = (path: string): string | null => {
  const extension = extensionOf(path)
  return knownServers.find(({ extensions }) => extensions.includes(extension))?.install ?? null
}

export interface Installation {
  /** The directories of programs in order of precedence: first the project's, then those in the operator's PATH. */
  readonly directories: ReadonlyArray<string>
  readonly isProgram: (path: string) => boolean
  /**
   * Returns the major version of an npm package beside a directory of programs; null: the package is not installed
   * there.
   */
  readonly majorOf: (directory: string, npmPackage: string) => number | null
}

/** Returns the known servers that are installed, by the paths of their programs. */
export const find = ({ directories, isProgram, majorOf }: Installation): ReadonlyArray<ServerConfig> =>
  knownServers.flatMap(({ extensions, name, variants }) => {
    for (const directory of directories) {
      for (const { args, command, needs } of variants) {
        const path = `${directory}/${command}`
        if (!isProgram(path)) continue
        if (needs !== undefined && (majorOf(directory, needs.npmPackage) ?? 0) < needs.major) continue
        return [
          {
            name,
            command: path,
            args,
            extensions,
            env: {},
            initializationOptions: null,
            settings: null,
            limits: defaultLimits
          }
        ]
      }
    }
    return []
  })
