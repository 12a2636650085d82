import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { nextVersion, releaseChangelog } from "../../scripts/release/changelog.ts"

describe("nextVersion", () => {
  it.each([
    ["0.1.0", "minor", "0.2.0"],
    ["0.1.9", "patch", "0.1.10"],
    ["0.9.3", "major", "1.0.0"],
    ["1.2.3", "1.10.0", "1.10.0"],
  ])("of %s by %s is %s", (current, expected, next) => {
    expect(nextVersion(current, expected)).toBe(next)
  })

  it.each(["", "big", "1.2", "1.2.3-beta", "v2.0.0", "01.2.3"])("refuses %j", (expected) => {
    expect(() => nextVersion("1.2.3", expected)).toThrow(/is not a version/)
  })

  it("is the current one where that was never released", () => {
    expect(nextVersion("0.1.0", "0.1.0", false)).toBe("0.1.0")
    expect(nextVersion("0.1.0", "minor", false)).toBe("0.2.0")
    expect(() => nextVersion("0.1.0", "0.0.9", false)).toThrow(/not larger/)
  })

  it.each(["1.2.3", "1.1.9", "0.9.9"])("refuses %s after 1.2.3", (expected) => {
    expect(() => nextVersion("1.2.3", expected)).toThrow(/not larger/)
  })
})

describe("releaseChangelog", () => {
  const old = "## 0.1.0 (2026-01-01)\n\nFirst.\n"

  it("puts what is unreleased under the version and leaves the heading for what comes", () => {
    const { text, section } = releaseChangelog(
      `# Log\n\n## Unreleased\n\n- one\n- two\n\n${old}`,
      "0.2.0",
      "2026-02-03",
    )
    expect(section).toBe("- one\n- two")
    expect(text).toBe(`# Log\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- one\n- two\n\n${old}`)
  })

  it("releases a first version", () => {
    expect(releaseChangelog("## Unreleased\n\n- one\n", "0.1.0", "2026-02-03").text).toBe(
      "## Unreleased\n\n## 0.1.0 (2026-02-03)\n\n- one\n",
    )
  })

  it("refuses a release that nothing is written about", () => {
    expect(() => releaseChangelog(`## Unreleased\n\n${old}`, "0.2.0", "2026-02-03")).toThrow(/nothing is written/)
    expect(() => releaseChangelog(old, "0.2.0", "2026-02-03")).toThrow(/has no "## Unreleased"/)
  })

  it("puts the day to a section that bears the version already", () => {
    const { text, section } = releaseChangelog("# Log\n\n## Unreleased\n\n## 0.1.0\n\nFirst.\n", "0.1.0", "2026-02-03")
    expect(section).toBe("First.")
    expect(text).toBe("# Log\n\n## Unreleased\n\n## 0.1.0 (2026-02-03)\n\nFirst.\n")
  })

  it("can release our own changelog", () => {
    const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8")
    expect(changelog).toContain("\n## Unreleased\n")
    expect(releaseChangelog(changelog, "0.1.0", "2026-02-03").section).toMatch(/^The first version\./)
  })
})
