import { UsageError } from "../../core/errors.ts"

/** Names of query fields for which there is a better place. */
const keyName = /auth|key|token|secret|cookie|password/i

/** A base URL. Throws {@link UsageError} for what is none, and for one that holds a password or a key. */
export function parseBaseUrl(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch (cause) {
    throw new UsageError("baseUrl is not a URL", { where: text, hint: "write it as https://host/v1", cause })
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError("baseUrl must begin with http:// or https://", { where: url.protocol })
  if (url.username || url.password)
    throw new UsageError("baseUrl must not hold a name or a password", {
      where: url.host,
      hint: "use apiKeyVariable or headers",
    })
  for (const name of url.searchParams.keys())
    if (keyName.test(name))
      throw new UsageError("baseUrl must not hold a key", {
        where: `${url.host} (${name})`,
        hint: "use apiKeyVariable or headers",
      })
  return url
}

/** A base URL without a query, for clients that add paths to its text; normalised. Throws like {@link parseBaseUrl}. */
export function plainBaseUrl(text: string): string {
  const url = parseBaseUrl(text)
  if (!url.search) return url.href
  throw new UsageError("baseUrl must not hold a query here", { where: url.host, hint: "end it with the version: /v1" })
}

interface EitherBaseUrl {
  readonly baseUrl?: string
  readonly baseURL?: string
}

/** Options with one spelling of the base URL. Throws {@link UsageError} when both are given and differ. */
export function withBaseUrl<Options extends EitherBaseUrl>(options: Options): Omit<Options, "baseURL"> {
  const { baseURL, ...others } = options
  if (baseURL === undefined) return others
  if (others.baseUrl !== undefined && others.baseUrl !== baseURL)
    throw new UsageError("baseUrl and baseURL differ", {
      where: `${others.baseUrl} and ${baseURL}`,
      hint: "give one of them",
    })
  return { ...others, baseUrl: baseURL }
}
