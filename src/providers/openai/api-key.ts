import { rememberSecrets } from "../../capture/secrets.ts"
import { UsageError } from "../../core/errors.ts"

/** The key that an environment variable holds; from here on it is in no record. Throws {@link UsageError} `missing_key` when there is none. */
export function readApiKey(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
  who: string,
): string {
  const key = environment[variable]?.trim()
  if (key) {
    rememberSecrets([key])
    return key
  }
  throw new UsageError(`the environment variable ${variable} is not set`, {
    code: "missing_key",
    where: who,
    hint: `set it to the API key, or name another variable with apiKeyVariable`,
  })
}
