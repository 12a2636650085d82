import { plainText } from "../../src/words/text.ts"
import { type AdvisedCommand, commandText } from "../wording/advised-command.ts"
import { cells, type TerminalOptions, type TerminalStyle, wrap } from "./style.ts"

/** How a command is written in the shell and the folder of its reader. */
export type PlaceCommand = (command: AdvisedCommand) => string

/** Words that end in a command, which stands in lines of its own where it has no room behind them: it is there to be copied. */
export function advisedLines(
  { words, command }: { readonly words: string; readonly command?: AdvisedCommand },
  place: PlaceCommand = commandText,
  style: TerminalStyle,
  { columns, unicode }: TerminalOptions,
): string[] {
  const text = style.text(plainText(words, 600))
  const called = command === undefined ? "" : style.text(plainText(place(command), 400))
  const whole = `${text} ${called}`.trim()
  if (cells(whole) + 2 <= columns) return [` ${whole}`]
  const sentence = wrap(text, columns - 3, unicode).map((line) => ` ${line}`)
  return called === "" ? sentence : [...sentence, ...commandLines(called, columns - 4).map((line) => `   ${line}`)]
}

/** A command in lines of a width that a shell reads as one: each but the last goes on behind a backslash. */
export function commandLines(command: string, width: number): string[] {
  if (cells(command) <= width) return [command]
  const lines: string[] = []
  let line = ""
  for (const word of command.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line === "" || cells(longer) + 2 <= width) {
      line = longer
      continue
    }
    lines.push(`${line} \\`)
    line = `  ${word}`
  }
  return [...lines, line]
}
