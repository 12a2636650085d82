/** What stands for standard input behind the command line, where a person writes `-`: yargs takes a lone `-` for an empty text. */
export const standardInput = "<stdin>"

/**
 * The arguments with a lone `-` as yargs reads it: {@link standardInput} for commands that read it, and part of the option where it
 * names the output, `--output=-`.
 */
export function withLoneDashes([command = "", ...rest]: readonly string[]): string[] {
  const reads = ["score", "compare", "import", "inventory"].includes(command)
  const words: string[] = [command]
  for (const word of rest) {
    const before = words.at(-1) ?? ""
    if (word === "-" && /^--(output|out)$/.test(before)) words[words.length - 1] = `${before}=-`
    else words.push(word === "-" && reads ? standardInput : word)
  }
  return words
}
