import { createHash } from "node:crypto"
import { inline } from "../../../datasets/inline.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { unscored } from "../../../src/core/metric/metric.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { exportRun } from "../../../src/store/archive/export-run.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const rows = Array.from({ length: 6 }, (_, i) => ({
  id: `s${i}`,
  input: `text\u2028 ${i}`,
  reference: i % 2 ? "x" : "y",
}))
const evaluation = await validateConfig({
  dataset: inline(rows),
  variants: [{ name: "a", provider: fakeProvider("a", () => fakeAnswer("x\u2028")) }],
  metrics: [exactMatch()],
})

/** Makes the run of the archives in a store. */
export const makeRun = (store: RunStore, id = "run1") => runEvaluation({ evaluation, store, id })

/** The lines of an archive that has a line of every kind. */
export async function wholeArchive(): Promise<string[]> {
  const store = openRunStore(scratchDirectory())
  const { record } = await makeRun(store)
  const at = "2026-01-01T00:00:00.000Z"
  const key = { variant: "a", sampleId: "s1", repeat: 0, metric: "exactMatch" }
  store.saveLabel(record.id, { ...key, score: 1, labeller: "tester", drawn: "chance", at })
  store.saveLabel(record.id, {
    ...key,
    score: 0,
    labeller: "chief",
    policy: "strict",
    role: "last_word",
    drawn: "doubt",
    at,
  })
  const spent = { requests: 2, costUsd: 0.5, asideUsd: null, tokens: 12, seconds: 0.1 }
  store.saveModelCall(record.id, { variant: "a", purpose: "judge", key: "k", ...spent, at }, null)
  const metric = record.metrics[0]?.name ?? ""
  store.saveRows(record.id, [{ ...key, metric, value: null, measured: unscored("judge_failed", "HTTP 500") }])
  const { outcome, log, httpStatus, failure, usage } = fakeAnswer("", "truncated")
  store.saveAttempt(record.id, key, { outcome, log, httpStatus, failure, usage })
  store.saveVariantState(record.id, "a", { resources: null, notes: ["a note"], failure: null })
  const lines = [...exportRun(store, store.run(record.id)!)].map((line) => line.slice(0, -1))
  store.close()
  return lines
}

/** The lines as an archive again: with an end mark that fits them. */
export function sealed(lines: readonly string[]): string[] {
  const sha256 = createHash("sha256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .digest("hex")
  return [...lines, JSON.stringify({ kind: "end", lines: lines.length, sha256 })]
}

/** As a file gives its lines. */
export async function* arriving(lines: Iterable<string>): AsyncGenerator<string> {
  for (const line of lines) yield line
}
