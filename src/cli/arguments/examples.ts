import { commandLines } from "../../../reports/terminal/commands.ts"
import { wrap } from "../../../reports/terminal/style.ts"
import type { Command } from "../command.ts"

/** Examples as they are pasted into a shell: each in one piece, with what it is for below. */
export function examplesText(examples: Command["examples"], columns: number): string {
  const lines = Object.entries(examples).flatMap(([line, words]) => [
    ...commandLines(line.replaceAll("$0", "evalkit"), columns - 2).map((part) => `  ${part}`),
    ...wrap(words, columns - 6, true).map((part) => `      ${part}`),
  ])
  return `\n\nExamples:\n${lines.join("\n")}`
}
