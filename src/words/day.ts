/**
 * A moment's day in UTC.
 *
 * @example dayWords("2026-11-12T09:30:00.000Z") // "12 November 2026"
 */
export function dayWords(time: string): string {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
}
