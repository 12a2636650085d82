import type { Options } from "yargs"

/** Where a command prints, and what it may read: passed in, so that commands are tested without a process. */
export interface CommandIo {
  /** Result: what `--json` pipes. A promise is waited for by whoever writes much. */
  out(chunk: string | Uint8Array): void | Promise<void>
  /** Whether `out` goes to a file or a program, which take bytes; absent: to a person. */
  readonly takesBytes?: boolean
  /** Progress, warnings and errors. */
  err(text: string): void
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Whether stderr is a terminal that may be redrawn (false under CI). */
  readonly interactive: boolean
  readonly color: boolean
  /** Whether the terminal shows Unicode; else ASCII is drawn. */
  readonly unicode: boolean
  readonly columns: number
  /** What is piped into the command; absent where nothing is. */
  readonly input?: () => AsyncIterable<Uint8Array>
  /** Keys as they are pressed, one at a time; absent where no person sits at a keyboard. */
  readonly keys?: () => AsyncIterable<string>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** What a command line says, by the names of arguments and options. */
export type Args = Readonly<Record<string, unknown>>

/** One command: its options and what it does. One file each in `commands/`, loaded only when it is called. */
export interface Command {
  /** Arguments by their names in its usage. */
  readonly positionals?: Readonly<Record<string, Options>>
  /** Options by their names, in the order of the help. */
  readonly options: Readonly<Record<string, Options>>
  /** Command lines, at least one, with what each is for; `$0` is evalkit. */
  readonly examples: Readonly<Record<string, string>>
  /** What stands below the options: the exit codes. */
  readonly epilogue?: string
  /** Values that completion offers, by option, where the option also takes others. */
  readonly suggestions?: Readonly<Record<string, readonly string[]>>
  /** Set where what is printed is a file of some format: it is shown as it is, however wide. */
  readonly printsData?: boolean
  /** Options that take a value and mean something without one, too. */
  readonly mayBeBare?: readonly string[]
  /** Does the work and returns the exit code. Errors are thrown; the command line prints them. */
  run(args: Args, io: CommandIo): Promise<number>
}
