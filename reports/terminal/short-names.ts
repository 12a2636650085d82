import { shortenedNames } from "../../src/words/short-names.ts"
import { cells } from "./cells.ts"

/**
 * Names in a width of terminal cells, see {@link shortenedNames}.
 *
 * @param width in terminal cells, at least 8
 */
export function shortNames(names: readonly string[], width: number, unicode = true): string[] {
  return shortenedNames(names, width, { measure: cells, ...(!unicode && { mark: "..." }) })
}
