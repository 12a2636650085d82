import { commandLines } from "../../../reports/terminal/commands.ts"
import { wrap } from "../../../reports/terminal/style.ts"

/** A command line, and what it is for. */
export type Example = readonly [line: string, words: string]

/** A parser whose examples are kept here in place of its own table of two columns, which breaks command lines in the middle. */
export function collectExamples<Parser extends object>(parser: Parser, into: Example[]): Parser {
  const keep = (first: string | readonly Example[], words = "") => {
    into.push(...(typeof first === "string" ? [[first, words] as const] : first))
    return parser
  }
  return Object.assign(parser, { example: keep })
}

/** Examples as they are pasted into a shell: each in one piece, with what it is for below. */
export function examplesText(examples: readonly Example[], columns: number): string {
  if (examples.length === 0) return ""
  const lines = examples.flatMap(([line, words]) => [
    ...commandLines(line.replaceAll("$0", "evalkit"), columns - 2).map((part) => `  ${part}`),
    ...wrap(words, columns - 6, true).map((part) => `      ${part}`),
  ])
  return `\n\nExamples:\n${lines.join("\n")}`
}
