import type { CommandIo } from "../command.ts"

/**
 * A moment as the clock on the wall shows it, with the zone that it is in: `TZ` of the environment, else the machine's.
 * An unknown zone, or a text that is no time, leaves it in UTC or as it is.
 *
 * @example localTime("2026-11-22T21:30:00.000Z", { TZ: "Europe/Berlin" }) // "2026-11-22 22:30 GMT+1"
 */
export function localTime(iso: string, environment: CommandIo["environment"]): string {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return iso.slice(0, 40)
  const parts = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat("en-GB", {
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
      ...(timeZone !== undefined && { timeZone }),
    } as Intl.DateTimeFormatOptions).formatToParts(moment)
  const local = (() => {
    try {
      return parts(environment.TZ || undefined)
    } catch {
      return parts("UTC")
    }
  })()
  const of = (type: string) => local.find((part) => part.type === type)?.value ?? ""
  return `${of("year")}-${of("month")}-${of("day")} ${of("hour")}:${of("minute")} ${of("timeZoneName")}`
}
