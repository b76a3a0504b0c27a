/** The options of a program that name another program or a file, and how the program reads them. */
export interface ProgramOptions {
  /** Names that the program also accepts in abbreviated form. */
  readonly long: ReadonlyArray<string>
  /** One-letter options by subcommand; "": the options of all subcommands; "-": those before the subcommand. */
  readonly short?: ReadonlyMap<string, string>
  /** True if several letters may follow one dash. */
  readonly joinsLetters?: boolean
  /** True if the program reads options with one dash like those with two. */
  readonly isSingleDash?: boolean
  /** True if the program reads only whole names, without regard to case and dashes in them. */
  readonly readsWholeNames?: boolean
  /** True if a name with dots is a setting of the configuration: each asks, unless its value is harmless. */
  readonly hasDottedSettings?: boolean
  /** The values, by name of the option, for which the program runs and writes nothing else. */
  readonly harmless?: ReadonlyMap<string, RegExp>
  /** True if words after "--" are for the script that runs. */
  readonly endsAtDashes?: boolean
  /** Subcommands that give the words after "--" to a program which reads them as its own options. */
  readonly passesOn?: ReadonlySet<string>
  /** Matches an argument that names a program by itself. */
  readonly operand?: RegExp
  /** Matches the first argument of a subcommand if it is a place whose programs run. */
  readonly places?: ReadonlyMap<string, RegExp>
}
