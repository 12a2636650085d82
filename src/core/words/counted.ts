/** A whole number with separated thousands: `2,310`. */
export function whole(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",")
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
