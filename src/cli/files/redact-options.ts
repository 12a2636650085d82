import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { UsageError } from "../../core/errors.ts"
import { createRedaction, type Redaction } from "../../text/personal-data/redaction.ts"
import { flag, text } from "../arguments/options.ts"
import type { CommandIo } from "../command.ts"

/** Options of commands that redact. */
export const redactOptions = {
  redact: flag("replace names with a cue, mail and postal addresses, phones, cards, IBANs, ids, keys by [email 1] …", {
    default: false,
  }),
  countries: text("with --redact: countries whose national phone numbers are found, such as DE,FR (default: US)"),
  "pseudonym-key": text(
    "with --redact: file with a secret of 16 bytes or more; the same text has the same pseudonym in all that it redacts",
  ),
}

const minKeyBytes = 16

/**
 * What `--redact` asks for; null where it does not.
 *
 * @throws UsageError for a key that cannot be read or is too short, and for options of a redaction that was not asked for
 */
export async function redactionOf(
  { redact, countries, pseudonymKey }: Readonly<Record<string, unknown>>,
  { cwd }: Pick<CommandIo, "cwd">,
): Promise<Redaction | null> {
  if (redact !== true) {
    const unused = countries !== undefined ? "--countries" : pseudonymKey !== undefined ? "--pseudonym-key" : null
    if (unused === null) return null
    throw new UsageError("the option belongs to what is redacted", { where: unused, hint: "add: --redact" })
  }
  const key = pseudonymKey === undefined ? undefined : await pseudonymKeyOf(String(pseudonymKey), cwd)
  return createRedaction({ countries: countriesOf(countries), key })
}

/** `DE,FR` as a list; undefined for none. */
export function countriesOf(countries: unknown): readonly string[] | undefined {
  const named = String(countries ?? "")
    .split(",")
    .flatMap((country) => country.trim().toUpperCase() || [])
  return named.length === 0 ? undefined : named
}

/** The key in a file. @throws UsageError where it cannot be read, or is too short */
export async function pseudonymKeyOf(file: string, cwd: string): Promise<Buffer> {
  const key = await readFile(resolve(cwd, file)).catch((cause: unknown) => {
    throw new UsageError("the key cannot be read", { where: `--pseudonym-key ${file}`, cause })
  })
  if (key.length >= minKeyBytes) return key
  throw new UsageError(`a key has at least ${minKeyBytes} bytes`, {
    where: `--pseudonym-key ${file}`,
    hint: "make one: openssl rand -hex 32 > pseudonyms.key",
  })
}
