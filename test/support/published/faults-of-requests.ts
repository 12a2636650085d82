import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { JsonValue } from "../../../src/core/json.ts"
import type { PublishedRequests } from "./types.ts"

/** A request that was sent, and whose it is. */
export interface SentRequest {
  readonly name: string
  readonly kind: keyof PublishedRequests
  readonly body: JsonValue
}

/** What the compiler refuses of requests that are written down as values of the services' own types, a line each. */
export function faultsOfRequests(requests: readonly SentRequest[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-published-"))
  try {
    const types = JSON.stringify(resolve(import.meta.dirname, "types.ts"))
    const lines = requests.map(({ kind, body }, i) => {
      const value = JSON.stringify(kind === "cohere" ? inSdkLetters(body) : body)
      return `export const r${i}: PublishedRequests["${kind}"] = ${value}`
    })
    writeFileSync(join(folder, "requests.ts"), `import type { PublishedRequests } from ${types}\n${lines.join("\n")}`)
    const compiler = resolve(import.meta.dirname, "../../../node_modules/typescript/bin/tsc")
    const options = "--noEmit --strict --skipLibCheck --module nodenext --target es2022 --allowImportingTsExtensions"
    const rest = ["--types", "", "--ignoreConfig", join(folder, "requests.ts")]
    const { stdout, status } = spawnSync(process.execPath, [compiler, ...options.split(" "), ...rest], {
      encoding: "utf8",
    })
    const faults = stdout.split("\n").flatMap((line) => {
      const [, at, words] = /requests\.ts\((\d+),\d+\): (.*)/.exec(line) ?? []
      return at === undefined ? [] : [`${requests[Number(at) - 2]?.name}: ${words}`]
    })
    return status === 0 || faults.length > 0 ? faults : [stdout]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** `tool_call_id` → `toolCallId`; names inside a JSON schema are the user's. */
function inSdkLetters(value: JsonValue, name = ""): JsonValue {
  if (value === null || typeof value !== "object" || name === "parameters" || name === "json_schema") return value
  if (Array.isArray(value)) return value.map((one) => inSdkLetters(one))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      inSdkLetters(member, key),
    ]),
  )
}
