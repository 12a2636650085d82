import { createRedact, hidden } from "../../capture/redact.ts"
import { environmentSecrets } from "../../capture/secrets.ts"

/** Arguments as a report may show them: `--api-key` keeps its name and not its value. */
export function shownArguments(args: readonly string[]): readonly string[] {
  const secrets = createRedact(environmentSecrets(process.env).filter((value) => value.length >= 8))
  return args.map((arg, i) => {
    const [flag = "", value] = arg.split(/=(.*)/s, 2)
    if (flag.startsWith("-") && secretFlag.test(flag)) return value === undefined ? arg : `${flag}=${hidden}`
    const before = args[i - 1] ?? ""
    return before.startsWith("-") && !before.includes("=") && secretFlag.test(before) ? hidden : secrets(arg)
  })
}

const secretFlag = /(api-?_?key|secret|password|credentials?|auth(orization)?|(access|auth|bearer|hf)?[-_]token)$/i
