import { UsageError } from "../../core/errors.ts"
import { rememberSecrets } from "../../text/secrets.ts"

/** What editors, web pages and files put around keys. */
const names: Readonly<Record<string, string>> = {
  "\n": "a line break",
  "\r": "a line break",
  "\t": "a tab",
  " ": "a space",
  '"': "a quotation mark",
  "'": "a quotation mark",
  "\u00a0": "a no-break space",
  "\u200b": "an invisible space",
  "\ufeff": "a byte order mark",
  "\u201c": "a curly quotation mark",
  "\u201d": "a curly quotation mark",
  "\u2018": "a curly quotation mark",
  "\u2019": "a curly quotation mark",
}

/** A header takes visible ASCII; quotation marks around a key are the shell's or the file's. */
function checkCharacters(key: string, variable: string, who: string): void {
  const at = /^["'].*["']$/s.test(key) ? 0 : key.search(/[^\x21-\x7e]/)
  if (at < 0) return
  const character = key[at] as string
  throw new UsageError(`the key in ${variable} holds ${names[character] ?? "a character that no header may have"}`, {
    code: "bad_key",
    where: `${who}: character ${at + 1} of ${key.length}`,
    hint: "copy the key again, without what stands around it",
  })
}

/** The key that an environment variable holds; from here on it is in no record. Throws {@link UsageError} `missing_key` when there is none. */
export function readApiKey(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
  who: string,
): string {
  const key = environment[variable]?.trim().replace(/^bearer\s+/i, "")
  if (key) {
    rememberSecrets([key])
    checkCharacters(key, variable, who)
    return key
  }
  throw new UsageError(`the environment variable ${variable} is not set`, {
    code: "missing_key",
    where: who,
    hint: `set it to the API key, or name another variable with apiKeyVariable`,
  })
}
