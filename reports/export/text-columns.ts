import type { Figure } from "../../src/core/report/figure.ts"
import type { TextFigures, VariantReport } from "../../src/core/report/report.ts"

/** A figure of the second table: what the answers hold, in measures that no tokenizer of a provider decides. */
export interface TextColumn {
  readonly id: string
  readonly title: string
  readonly unit: "usd" | null
  /** The others are in the files only. */
  readonly inTerminal: boolean
  figure(variant: VariantReport): Figure
}

/** Read by the terminal and by CSV; the page and JSON have them as the section `tokens`. */
export const textColumns: readonly TextColumn[] = [
  column("tokensPerAnswer", "tokens", { inTerminal: true }),
  column("o200kPerAnswer", "o200k", { inTerminal: true }),
  column("charactersPerAnswer", "characters", { inTerminal: true }),
  column("o200kPerSecond", "o200k/s", { inTerminal: true }),
  column("charactersPerSecond", "characters/s", { inTerminal: true }),
  column("usdPerAnswer", "$ per answer", { unit: "usd", inTerminal: true }),
  column("usdPerMillionO200k", "$ per 1M o200k", { unit: "usd" }),
  column("usdPerMillionCharacters", "$ per 1M characters", { unit: "usd" }),
]

function column(
  id: keyof TextFigures,
  title: string,
  more: Partial<Pick<TextColumn, "unit" | "inTerminal">>,
): TextColumn {
  return { id, title, unit: null, inTerminal: false, ...more, figure: ({ text }) => text[id] }
}
