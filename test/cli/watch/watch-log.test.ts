import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, it, vi } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

vi.setConfig({ testTimeout: 90_000 })

const webhookCalls: { text: string; began: { key: string }[]; ended: { key: string }[] }[] = []
const hook = await serveLoopback((_, response, body) => {
  webhookCalls.push(JSON.parse(body))
  response.end()
})

let folder = ""
beforeEach(() => {
  folder = scratchDirectory()
  webhookCalls.length = 0
})

const begunMs = Date.parse("2026-11-29T10:00:00Z")
const refusal = "I'm sorry, I can't help with that."

/** A call as LiteLLM logs it; a second lies between one pair and the next. */
const call = (group: string, i: number, content: string, seconds: number) => ({
  ...{ id: `${group}-${i}`, call_type: "acompletion", status: "success", model: group, model_group: group },
  ...{
    startTime: begunMs / 1000 + i,
    completionStartTime: begunMs / 1000 + i + 0.2,
    endTime: begunMs / 1000 + i + seconds,
  },
  ...{ prompt_tokens: 10, completion_tokens: 5, response_cost: 0.001 },
  messages: [{ role: "user", content: `what is ${i}?` }],
  response: { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] },
})

/** Pairs as lines, the candidate's answers refused where `isRefused` says so. */
const lines = (from: number, to: number, isRefused: (i: number) => boolean): string[] =>
  Array.from({ length: to - from }, (_, k) => {
    const i = from + k
    return [
      call("primary", i, "Yes.", 1 + (i % 7) / 10),
      call("candidate", i, isRefused(i) ? refusal : "Yes.", 1 + (i % 5) / 10),
    ]
  }).flatMap((pair) => pair.map((row) => `${JSON.stringify(row)}\n`))

const [sometimes, often] = [(i: number) => i % 50 === 0, (i: number) => i % 4 === 0]

/** Calls the command; `afterLook` is called with the number of each look. */
async function watch(args: readonly string[], afterLook: (look: number) => void = () => {}) {
  let looks = 0
  const io = fakeIo({ cwd: folder })
  const out = (text: string) => {
    io.out(text)
    afterLook(++looks)
  }
  const code = await main(["watch", ...args, "--webhook", hook.origin], { ...io, out })
  const printed = io.stdout().trim().split("\n")
  return {
    code,
    stderr: io.stderr(),
    printed,
    last: printed.at(-1)?.startsWith("{") ? JSON.parse(printed.at(-1) as string) : null,
  }
}

it("follows the pairs of a shadow, alarms once when the candidate gets worse, and ends with exit code 3", async () => {
  const shadow = join(folder, "shadow")
  mkdirSync(shadow)
  writeFileSync(join(shadow, "pairs-2026-11-29.jsonl"), lines(0, 400, sometimes).join(""))
  const args = ["shadow:primary", "shadow:candidate", "--every", "20ms"]
  const { code, printed, stderr } = await watch([...args, "--rounds", "4"], (look) => {
    if (look === 1) appendFileSync(join(shadow, "pairs-2026-11-29.jsonl"), lines(400, 600, often).join(""))
    if (look === 2) writeFileSync(join(shadow, "pairs-2026-11-30.jsonl"), lines(600, 700, often).join(""))
  })
  expect(stderr).toContain(
    "following shadow:primary, shadow:candidate, read every 20ms; a false alarm of any figure in 2,000 pairs: 5 % at most",
  )
  expect(code, stderr).toBe(3)
  expect(printed.filter((line) => line.includes(" pairs · "))).toHaveLength(3)
  expect(printed[0]).toMatch(
    /400 pairs · refusal \+2 points · failures 0 points · cost 0 % · first token [+−\d.]+ % · latency [+−\d.]+ %$/,
  )
  expect(printed.at(-1)).toMatch(
    /ALARM shadow:candidate, quality: refusal .* went from \+2 points to \+2\d[.\d]* points at pair (?:38|40|42)1, 2026-11-29 /,
  )
  expect(webhookCalls.map(({ began, ended }) => [began.map(({ key }) => key), ended])).toEqual([
    [["shadow:candidate/refusal"], []],
  ])
  // A scheduler's look at the same log finds the same, and tells nobody again.
  const second = await watch([...args, "--rounds", "1", "--json"])
  expect([second.code, second.last.pairs, webhookCalls.length]).toEqual([3, 700, 1])
  expect(second.last.figures[0]).toMatchObject({
    figure: "refusal",
    known: 700,
    worse: true,
    change: { at: expect.stringMatching(/^2026-11-29T10:0[67]/) },
  })
})

it("reads a gateway's log of a silent model, whose calls stand anywhere, and has no alarm where nothing changes", async () => {
  const all = lines(0, 600, sometimes)
  const [primary, silent] = [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)]
  // The silent call is logged later, some of them long after.
  writeFileSync(join(folder, "calls.jsonl"), [...primary.slice(0, 300), ...silent.slice(0, 200)].join(""))
  const args = ["calls.jsonl:primary", "calls.jsonl:candidate", "--metric", "refusal", "--json"]
  const { code, last } = await watch([...args, "--rounds", "2", "--every", "20ms"], (look) => {
    if (look === 1) appendFileSync(join(folder, "calls.jsonl"), [...silent.slice(200), ...primary.slice(300)].join(""))
  })
  expect([code, last.pairs, last.alarms, webhookCalls]).toEqual([0, 600, [], []])
  expect(last.figures.map(({ figure, known }: { figure: string; known: number }) => [figure, known])).toEqual([
    ...[
      ["refusal", 600],
      ["failures", 600],
      ["costUsd", 600],
      ["ttftMs", 600],
      ["e2eMs", 600],
    ],
  ])
})

it("waits for a shadow that has no pair yet, and says what a line lacks", async () => {
  mkdirSync(join(folder, "shadow"))
  const { code, printed } = await watch(["shadow:primary", "shadow:candidate", "--rounds", "1"])
  expect([code, printed[0]]).toEqual([0, expect.stringMatching(/ 0 pairs$/)])
  for (const [args, message] of [
    [["shadow"], /the candidate is missing.*LOG:PRIMARY LOG:CANDIDATE/],
    [["shadow:primary", "shadow:primary"], /the two sides are the same/],
    [["shadow:primary", "shade:candidate"], /there is no such file.*shade:candidate/],
    [["shadow:primary", "shadow:candidate", "--limit", "0"], /--limit must be a whole number from 1/],
    [["shadow:primary", "shadow:candidate", "--metric", "refusals"], /refusal/],
  ] as const) {
    const refused = await watch(args)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(message)])
  }
})
