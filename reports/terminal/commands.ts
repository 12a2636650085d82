import { plainText } from "../../src/words/text.ts"
import { type AdvisedCommand, commandText } from "../wording/advised-command.ts"
import { cells, paragraph, type Screen } from "./style.ts"

/** How a command is written in the shell and the folder of its reader. */
export type PlaceCommand = (command: AdvisedCommand) => string

/** Words that end in a command, which stands in lines of its own where it has no room behind them: it is there to be copied. */
export function advisedLines(
  { words, command }: { readonly words: string; readonly command?: AdvisedCommand },
  place: PlaceCommand = commandText,
  screen: Screen,
): string[] {
  const text = screen.text(plainText(words, 600))
  const called = command === undefined ? "" : screen.text(plainText(place(command), 400))
  const whole = `${text} ${called}`.trim()
  if (cells(whole) + 2 <= screen.columns) return [` ${whole}`]
  const sentence = paragraph(screen, words, { margin: 3 })
  return called === ""
    ? sentence
    : [...sentence, ...commandLines(called, screen.columns - 4).map((line) => `   ${line}`)]
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
