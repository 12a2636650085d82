import { createRedact, hidden } from "../../text/redact.ts"
import { environmentSecrets, passwordOf, rememberSecrets } from "../../text/secrets.ts"

/** Arguments as a report may show them: `--api-key` keeps its name and not its value, which is a secret from here on. */
export function shownArguments(args: readonly string[]): readonly string[] {
  rememberSecrets([...argumentSecrets(args), ...args.flatMap(passwordOf)])
  const secrets = createRedact(environmentSecrets(process.env).filter((value) => value.length >= 8))
  return args.map((arg, i) => {
    const [flag = "", value] = arg.split(/=(.*)/s, 2)
    if (flag.startsWith("-") && secretFlag.test(flag)) return value === undefined ? arg : `${flag}=${hidden}`
    const before = args[i - 1] ?? ""
    return before.startsWith("-") && !before.includes("=") && secretFlag.test(before) ? hidden : secrets(arg)
  })
}

const secretFlag = /(api-?_?key|secret|password|credentials?|auth(orization)?|(access|api|auth|bearer|hf)?[-_]token)$/i

/** Values of arguments whose names say that they are secrets: what the server writes of them is kept out of its log. */
export function argumentSecrets(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, i) => {
    const [flag = "", value] = arg.split(/=(.*)/s, 2)
    if (flag.startsWith("-") && secretFlag.test(flag)) return value === undefined ? [] : [value]
    const before = args[i - 1] ?? ""
    return before.startsWith("-") && !before.includes("=") && secretFlag.test(before) ? [arg] : []
  })
}
