import type { CountryCode } from "libphonenumber-js"
import { UsageError } from "../../core/errors.ts"

/** Where a phone number stands: place and length in UTF-16 units. */
interface PhonePlace {
  readonly start: number
  readonly length: number
}

/** Characters that are read for phone numbers: the search costs tens of microseconds a character where a text is all digits. */
const maxTextLength = 50_000

/**
 * Phone numbers that could be dialled, by the numbering plans of libphonenumber: international ones ("+44 20 7946 0958") of every
 * country, national ones of the countries named, in any script's digits. A bare row of digits counts only where it begins with 0
 * or +: elsewhere it is an order number as often as not.
 *
 * @param countries ISO 3166 codes; default US
 * @throws UsageError for a code that the numbering plans do not know
 */
export async function findPhoneNumbers(
  text: string,
  countries: readonly string[] = ["US"],
): Promise<readonly PhonePlace[]> {
  const seen = text.slice(0, maxTextLength)
  if (!/(?:\p{Nd}\P{Nd}{0,3}){6}/u.test(seen)) return []
  const { findPhoneNumbersInText } = await import("libphonenumber-js")
  const codes = await knownCountries(countries)
  const byStart = new Map<number, PhonePlace>()
  for (const defaultCountry of codes)
    for (const { startsAt: start, endsAt } of findPhoneNumbersInText(seen, { defaultCountry })) {
      const written = seen.slice(start, endsAt)
      if (/^[1-9]\d*$/.test(written)) continue
      const before = byStart.get(start)
      if (!before || before.length < endsAt - start) byStart.set(start, { start, length: endsAt - start })
    }
  return [...byStart.values()].sort((a, b) => a.start - b.start)
}

/** Codes of countries whose numbering plan is known. */
async function knownCountries(countries: readonly string[]): Promise<readonly CountryCode[]> {
  const { isSupportedCountry } = await import("libphonenumber-js")
  return countries.map((country) => {
    if (isSupportedCountry(country)) return country
    throw new UsageError(`no numbering plan is known for the country "${String(country).slice(0, 20)}"`, {
      where: "countries",
      hint: 'give ISO 3166 codes: countries: ["US", "DE", "JP"]',
    })
  })
}
