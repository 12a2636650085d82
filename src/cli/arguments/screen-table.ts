import { stackedTables } from "../../../reports/terminal/text-table.ts"
import { screenWidth } from "./screen.ts"

/** What is known of the screen: where nobody looks, no table is taken apart. */
export type Screen = Parameters<typeof screenWidth>[0]

/**
 * A table as wide as the screen: columns without room go on below, each with the first, so that no row is broken.
 *
 * @param words columns that hold words and stand on the left; the others hold numbers and stand on the right
 */
export function screenTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  screen: Screen,
  words: readonly number[] = [0],
): string {
  return `${stackedTables(header, rows, screenWidth(screen), words).join("\n")}\n`
}
