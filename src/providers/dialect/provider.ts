import type { JsonObject } from "../../core/json.ts"
import type { MediaSupport, Provider, ProviderTraits } from "../../core/provider.ts"
import type { OwnModule } from "../../platform/own-module.ts"
import { rememberSecrets } from "../../text/secrets.ts"
import { readApiKey } from "../openai/api-key.ts"
import { parseBaseUrl, withBaseUrl } from "../openai/base-url.ts"
import { optionSecrets } from "../openai/secret-options.ts"
import type { ServiceOptions } from "./options.ts"
import { type Dialect, openDialectSession } from "./session.ts"

/** A service with an interface of its own: where it is, how it is asked who asks, and how it is written and read. */
export interface DialectService
  extends Pick<Dialect, "write" | "read" | "kept" | "unsupported" | "enforcesJson" | "batches"> {
  /** Also the service's name in the price book. */
  readonly kind: string
  /** The interface's name in identities. */
  readonly interface: string
  readonly baseUrl: string
  /** Where capture threads find `read`: its module, and its name there. */
  readonly reader: { readonly module: OwnModule; readonly name: string }
  /** Behind the base URL, perhaps with a query. */
  readonly path: string
  readonly apiKeyVariable: string
  /** @param key null where the user said that none is needed */
  headers(key: string | null): Readonly<Record<string, string>>
  /** The options that change an answer, beside those that all services take. */
  readonly choices: JsonObject
  /** What it takes besides words, by its published limits. */
  readonly media: MediaSupport
  /** What its calls ask for that is billed at rates of its own. */
  readonly asksFor?: Pick<ProviderTraits, "promptCache" | "serviceTier">
}

/**
 * A provider of a service with an interface of its own, always streamed. The options must have been checked.
 *
 * @throws UsageError for a base URL that is none, and at `open` when the key's variable is not set
 */
export function dialectProvider(options: ServiceOptions, service: DialectService): Provider {
  const own = withBaseUrl(options)
  const url = parseBaseUrl(own.baseUrl ?? service.baseUrl)
  const { shown, secrets } = optionSecrets(own, url.href, process.env)
  rememberSecrets(secrets)
  const { kind } = service
  const { model, price, label = `${kind} ${model}`, apiKeyVariable = service.apiKeyVariable } = own
  return {
    kind,
    traits: {
      transport: "undici",
      media: service.media,
      ...service.asksFor,
      ...(service.batches && { takesBatches: true }),
    },
    model,
    label,
    endpoint: url.host,
    identity: { kind, interface: service.interface, model, ...shown, ...service.choices },
    privateIdentity: () => ({ baseUrl: url.href, headers: { ...own.headers }, extraBody: own.extraBody ?? {} }),
    ...(price && { price }),
    async open({ environment }) {
      const key = apiKeyVariable === null ? null : readApiKey(environment, apiKeyVariable, label)
      return openDialectSession({
        origin: url.origin,
        path: pathBehind(url, service.path),
        headers: { ...service.headers(key), ...own.headers },
        write: service.write,
        read: service.read,
        reader: { url: service.reader.module.url.href, name: service.reader.name },
        ...(service.kept && { kept: service.kept }),
        ...(service.unsupported && { unsupported: service.unsupported }),
        ...(service.enforcesJson && { enforcesJson: true }),
        ...(service.batches && { batches: { ...service.batches, path: pathBehind(url, service.batches.path) } }),
        maxAnswerBytes: own.maxAnswerBytes,
      })
    },
  }
}

function pathBehind({ pathname, search }: URL, path: string): string {
  const [route = "", query = ""] = path.split("?")
  const fields = [search.slice(1), query].filter((part) => part !== "").join("&")
  return `${pathname.replace(/\/+$/, "")}${route}${fields && `?${fields}`}`
}
