/** A whole number with separated thousands: `2,310`. */
export function whole(value: number): string {
  const rounded = Math.round(value)
  let rest = String(Math.abs(rounded))
  let groups = ""
  // From 10²¹ on a number has no digits of its own: `1e+21`.
  while (rest.length > 3 && Math.abs(rounded) < 1e21) {
    groups = `,${rest.slice(-3)}${groups}`
    rest = rest.slice(0, -3)
  }
  return `${rounded < 0 ? "-" : ""}${rest}${groups}`
}

/**
 * A count with its noun.
 *
 * @example counted(1, "answer") // "1 answer"
 * @example counted(2310, "answer") // "2,310 answers"
 */
export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? "" : "s"}`
}
