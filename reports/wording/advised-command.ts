/** A command that a report advises: what to call, not yet where its reader stands. */
export interface AdvisedCommand {
  readonly name: "doctor" | "run" | "score" | "price" | "view" | "compare" | "report"
  /** The words behind its name; the run's id is one of them. */
  readonly words: readonly string[]
}

/**
 * A command as it is written in the folder of the config, where evalkit is not installed for every shell.
 *
 * @example commandText({ name: "run", words: ["--resume", "7f3a"] }) // "npx evalkit run --resume 7f3a"
 */
export function commandText({ name, words }: AdvisedCommand): string {
  return ["npx evalkit", name, ...words].join(" ")
}
