import { installLine } from "./add-on.ts"

/** What went wrong, where, and what to do: the parts of every message that evalkit prints. @public */
export interface ErrorFacts {
  /** A stable machine-readable word such as `config_not_found`. */
  readonly code: string
  /** Where: `file:line`, a config path such as `variants[1].prompt`, a URL without its query. */
  readonly where?: string
  /** What the reader can do about it. */
  readonly hint?: string
  readonly cause?: unknown
  /** The exit code that the command line ends with; see {@link ExitCode}. */
  readonly exitCode?: number
}

/** Exit codes of every command. @public */
export const ExitCode = {
  ok: 0,
  fault: 1,
  usage: 2,
  gateFailed: 3,
  inconclusive: 4,
  incomplete: 5,
  interrupted: 130,
} as const

/** Base of all errors that evalkit throws on purpose. Its message reads "what: where; what to do". @public */
export class EvalkitError extends Error {
  readonly code: string
  readonly what: string
  readonly where: string | undefined
  readonly hint: string | undefined
  readonly exitCode: number

  constructor(what: string, facts: ErrorFacts) {
    super(`${what}${facts.where ? `: ${facts.where}` : ""}${facts.hint ? `; ${facts.hint}` : ""}`, {
      cause: facts.cause,
    })
    this.name = new.target.name
    this.code = facts.code
    this.what = what
    this.where = facts.where
    this.hint = facts.hint
    this.exitCode = facts.exitCode ?? ExitCode.fault
  }
}

/** The caller gave something that cannot be used: options, a config, a data set. Exit code 2. @public */
export class UsageError extends EvalkitError {
  constructor(what: string, facts: Omit<ErrorFacts, "exitCode" | "code"> & { readonly code?: string }) {
    super(what, { code: "usage", ...facts, exitCode: ExitCode.usage })
  }
}

/** An optional package that a feature needs is not installed. Exit code 2; the hint is the install line. @public */
export class MissingPackageError extends EvalkitError {
  readonly packageName: string

  constructor(packageName: string, feature: string, cause?: unknown) {
    super(`${feature} needs the package ${packageName}, which cannot be loaded`, {
      code: "missing_package",
      hint: `install it with: ${installLine(packageName)}`,
      cause,
      exitCode: ExitCode.usage,
    })
    this.packageName = packageName
  }
}

/** The message of anything that was thrown, without its stack; never throws itself, whatever was thrown. @public */
export function messageOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error
    return typeof message === "string" ? message : String(message)
  } catch {
    return "something was thrown that cannot be shown"
  }
}
