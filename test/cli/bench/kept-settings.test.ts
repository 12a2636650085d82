import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { FoundOfSetting } from "../../../src/bench/measure.ts"
import type { PlannedTarget } from "../../../src/bench/targets.ts"
import { openKeptSettings } from "../../../src/cli/bench/kept-settings.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit } from "./endpoint.ts"

const target = (name: string, fingerprint = name) => ({ name, fingerprint: () => fingerprint }) as PlannedTarget
const quality = { status: "known", value: 0.5, low: Number.NEGATIVE_INFINITY, n: 2 }
const setting = {
  levels: [{ variant: "a", quality, metrics: [{ figure: quality }], failureExamples: new Map([["timeout", "slow"]]) }],
  failedStarts: new Map([["a", "out of memory"]]),
} as unknown as FoundOfSetting

function open(cwd: string, options: object = {}) {
  const io = fakeIo({ cwd })
  return { kept: openKeptSettings({ resume: "kept.jsonl", slo: "ttft<1s", ...options }, io), err: io.stderr }
}

it("gives what was kept of a setting to the next call, which says so", () => {
  const cwd = scratchDirectory()
  open(cwd).kept?.keep(target("a"), setting)
  const { kept, err } = open(cwd, { json: true })
  const taken = kept?.take(target("a"))
  expect(taken).toEqual(setting)
  expect(err()).toBe("evalkit: a was measured by an earlier call: taken from kept.jsonl\n")
})

it("takes nothing of another setting, of another load, or of a line that a kill cut short", () => {
  const cwd = scratchDirectory()
  open(cwd).kept?.keep(target("a"), setting)
  expect(open(cwd).kept?.take(target("a", "another model"))).toBeNull()
  expect(open(cwd, { slo: "ttft<2s" }).kept?.take(target("a"))).toBeNull()
  const file = join(cwd, "kept.jsonl")
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -20))
  const { kept } = open(cwd)
  expect(kept?.take(target("a"))).toBeNull()
  kept?.keep(target("a"), setting)
  kept?.keep(target("b"), setting)
  expect([open(cwd).kept?.take(target("a")), open(cwd).kept?.take(target("b"))]).toEqual([setting, setting])
})

it("is refused where no search over settings is asked for", async () => {
  const { exitCode, err } = await evalkit(["bench", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--resume", "f"])
  expect([exitCode, err]).toEqual([2, expect.stringContaining("--resume needs --tune")])
})
