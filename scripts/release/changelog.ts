import { UsageError } from "../../src/core/errors.ts"

const heading = "## Unreleased"

/** What a version grows by. */
export const bumps = ["major", "minor", "patch"] as const

/**
 * The version after this one.
 *
 * @param target one of {@link bumps}, or a version that must be larger
 * @param isReleased whether the current version is out; where it is not, as before the first release, it may be wanted itself
 * @throws UsageError for anything else
 * @example nextVersion("0.1.0", "minor") // "0.2.0"
 */
export function nextVersion(current: string, target: string, isReleased = true): string {
  if (!isReleased && target === current) return current
  const numbers = parts(current, "package.json")
  const index: number = (bumps as readonly string[]).indexOf(target)
  if (index >= 0) return numbers.map((value, i) => (i < index ? value : i === index ? value + 1 : 0)).join(".")
  const version = parts(target, "the command line")
  const first = version.findIndex((value, i) => value !== numbers[i])
  if (first < 0 || (version[first] ?? 0) < (numbers[first] ?? 0))
    throw new UsageError(`version ${target} is not larger than ${current}`, { hint: `use ${bumps.join(", ")}` })
  return target
}

/**
 * The changelog with what is unreleased under the version's own heading, and the text of that section. A section that bears the version
 * already, without a day (the first one), is what is released.
 *
 * @param day ISO date of the release
 * @throws UsageError when nothing is written for this version
 */
export function releaseChangelog(changelog: string, version: string, day: string): { text: string; section: string } {
  const own = changelog.indexOf(`## ${version}\n`)
  const start = own < 0 ? changelog.indexOf(`${heading}\n`) : own
  if (start < 0) throw new UsageError(`the changelog has no "${heading}"`, { where: "CHANGELOG.md" })
  const from = changelog.indexOf("\n", start) + 1
  const next = changelog.indexOf("\n## ", from)
  const section = changelog.slice(from, next < 0 ? undefined : next).trim()
  if (section === "")
    throw new UsageError("nothing is written for this release", {
      where: `CHANGELOG.md, ${heading}`,
      hint: "say what a user can notice",
    })
  const rest = next < 0 ? "" : changelog.slice(next)
  const before = own < 0 ? `${changelog.slice(0, from)}\n` : changelog.slice(0, own)
  return { text: `${before}## ${version} (${day})\n\n${section}\n${rest}`, section }
}

function parts(version: string, where: string): number[] {
  if (!/^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){2}$/.test(version))
    throw new UsageError(`"${version.slice(0, 40)}" is not a version`, {
      where,
      hint: `use ${bumps.join(", ")} or 1.2.3`,
    })
  return version.split(".").map(Number)
}
