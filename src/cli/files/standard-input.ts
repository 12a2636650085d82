/** What stands for standard input behind the command line, where a person writes `-`: yargs takes a lone `-` for an empty text. */
export const standardInput = "<stdin>"

/** The arguments with a lone `-` as {@link standardInput}, of commands that read it. */
export function withStandardInput([command = "", ...rest]: readonly string[]): string[] {
  const reads = command === "score" || command === "compare"
  return [command, ...(reads ? rest.map((one) => (one === "-" ? standardInput : one)) : rest)]
}
