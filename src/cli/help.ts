import { commandTable } from "./command-table.ts"

/** What `evalkit --help` prints, from the command table alone: the parser is not even loaded. */
export function generalHelp(columns: number): string {
  const width = Math.max(...commandTable.map(({ usage }) => usage.length))
  const room = Math.min(columns, 100)
  const line = (usage: string, describe: string): string => {
    const text = `  ${usage.padEnd(width)}  ${describe}`
    return text.length <= room ? text : `  ${usage}\n      ${describe}`
  }
  return `evalkit: may we make this swap? Quality, speed and cost of language models, from the same calls.

usage: evalkit <command> [options]

${commandTable.map(({ usage, describe }) => line(usage, describe)).join("\n")}

${line("<command> --help", "options and examples of a command")}
${line("completion", "print a script that completes commands and options in bash or zsh")}
${line("--version", "print the version")}

exit codes: 0 fine, 1 fault, 2 usage, 3 gate failed, 4 inconclusive, 5 incomplete, 130 interrupted
start with: evalkit init
`
}
