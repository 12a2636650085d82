import stringWidth from "string-width"

/** Width of a text in terminal cells; escape codes have none. */
export function cells(text: string): number {
  return stringWidth(text)
}
