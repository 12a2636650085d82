import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { relative, resolve } from "node:path"
import type { FoundOfSetting, KeptSettings } from "../../bench/measure.ts"
import { contentHash, type JsonValue } from "../../core/json.ts"
import { fromMapJson, toMapJson } from "../../core/json-maps.ts"
import { asMembers, asText, parseJson } from "../../core/json-members.ts"
import { packageVersion } from "../../platform/version.ts"
import type { Args, CommandIo } from "../command.ts"

/** Options that change nothing of what is measured of a setting. */
const ofOutput = new Set([
  "_",
  "$0",
  "config",
  "variant",
  "json",
  "csv",
  "html",
  "markdown",
  "directory",
  "store",
  "resume",
])

/**
 * What `--resume` keeps of a search over settings: a line for each setting that ended, which says by what options it was measured. A line
 * that a kill cut short is left out.
 *
 * @param args of the command line; a setting that was measured by others is measured anew
 * @throws {Error} of the file system
 */
export function openKeptSettings(args: Args, io: CommandIo): KeptSettings | undefined {
  if (typeof args.resume !== "string") return undefined
  const path = resolve(io.cwd, args.resume)
  const options = Object.entries(args).filter(([name, value]) => value !== undefined && !ofOutput.has(name))
  const keyOf = (fingerprint: string) => contentHash([packageVersion(), fingerprint, Object.fromEntries(options)])
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  let start = text === "" || text.endsWith("\n") ? "" : "\n"
  const kept = new Map(
    text.split("\n").flatMap((line): [string, JsonValue][] => {
      const parsed = parseJson(line)
      const { key, found } = ("value" in parsed && asMembers(parsed.value)) || {}
      return asMembers(found) ? [[asText(key), found as JsonValue]] : []
    }),
  )
  return {
    take({ name, fingerprint }) {
      const json = kept.get(keyOf(fingerprint()))
      if (json === undefined) return null
      io.err(`evalkit: ${name} was measured by an earlier call: taken from ${relative(io.cwd, path)}\n`)
      return fromMapJson(json) as FoundOfSetting
    },
    keep({ name, fingerprint }, result) {
      const line = { key: keyOf(fingerprint()), variant: name, found: toMapJson(result) }
      appendFileSync(path, `${start}${JSON.stringify(line)}\n`)
      start = ""
    },
  }
}
