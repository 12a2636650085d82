import { decodedComponent } from "../../core/decoded-component.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { hidden, looksSecret } from "../../text/redact.ts"
import { environmentSecrets, isSecretName, looksRandom, redactSecrets } from "../../text/secrets.ts"
import type { OpenaiOptions } from "./options.ts"

/** Query fields that say which interface is meant, not who asks. */
const harmlessFields = /^(api-version|version|model|deployment|region|location|project|beta)$/i

/** What of an endpoint's options may be shown, and what must not. */
export interface OptionSecrets {
  /** Without the values of headers and of the query, and without what reads like a key. */
  readonly shown: { readonly baseUrl: string; readonly headers: JsonObject; readonly extraBody: JsonObject }
  /** Values that are taken out of everything that is kept. */
  readonly secrets: readonly string[]
}

/**
 * Sorts an endpoint's options into what a report may show and what it must not: every header's value, every value of the
 * query but those of harmless names, and of the path and the extra body what is named like a secret, comes from the
 * environment or reads like a key. Of what is hidden, only such values are secrets that answers are searched for: a header
 * `x-title: evalkit` must not change an answer that says "evalkit".
 */
export function optionSecrets(
  options: Pick<OpenaiOptions, "headers" | "extraBody">,
  baseUrl: string,
  environment: Readonly<Record<string, string | undefined>>,
): OptionSecrets {
  const secrets = new Set<string>()
  const read = new Set(Object.values(environment).filter((value) => value !== undefined && value.length >= 8))
  const named = environmentSecrets(environment).filter((value) => value.length >= 8)
  /** Notes what is secret about a value; true when something is. */
  const isSecret = (isNamed: boolean, value: string): boolean => {
    const inside = named.filter((secret) => value.includes(secret))
    for (const secret of inside) secrets.add(secret)
    const pieces = value.split(/\s+/).filter((piece) => read.has(piece) || looksRandom(piece))
    const whole = isNamed || read.has(value)
    const [, basic] = /^basic\s+(\S+)$/i.exec(value) ?? []
    if (basic)
      secrets.add(
        Buffer.from(basic, "base64")
          .toString()
          .replace(/^[^:]*:/, ""),
      )
    for (const piece of whole ? [value, ...value.split(/\s+/).slice(1)].filter(looksSecret) : pieces) secrets.add(piece)
    return whole || pieces.length > 0 || inside.length > 0
  }
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => {
      isSecret(isSecretName(name), value)
      return [name.toLowerCase(), hidden]
    }),
  )
  const hideIn = (name: string, value: JsonValue): JsonValue => {
    if (typeof value === "string")
      return isSecret(isSecretName(name) && looksSecret(value), value) ? hidden : redactSecrets(value)
    if (Array.isArray(value)) return value.map((item: JsonValue) => hideIn(name, item))
    if (value === null || typeof value !== "object") return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideIn(key, member)]))
  }
  return {
    shown: {
      baseUrl: shownBaseUrl(baseUrl, isSecret),
      headers,
      extraBody: hideIn("", options.extraBody ?? {}) as JsonObject,
    },
    secrets: [...secrets],
  }
}

function shownBaseUrl(baseUrl: string, isSecret: (isNamed: boolean, value: string) => boolean): string {
  const url = new URL(baseUrl)
  const path = url.pathname
    .split("/")
    .map((segment) => (isSecret(false, decodedComponent(segment)) ? hidden : segment))
    .join("/")
  const query = [...url.searchParams].map(([name, value]) => {
    const isHidden = isSecret(isSecretName(name), value) || !harmlessFields.test(name)
    return `${encodeURIComponent(name)}=${isHidden ? hidden : encodeURIComponent(value)}`
  })
  return `${url.origin}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`
}
