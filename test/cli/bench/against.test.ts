import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback, streamChat } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

/** A model that begins to answer after so many milliseconds, and says before each answer how many it has begun. */
async function startModel(ttftMs: number, onRequest: (requests: number, prompt: string) => void = () => {}) {
  let requests = 0
  const { url, port } = await serveLoopback(async (request, response, body) => {
    if (request.method !== "POST") return response.end('{"object":"list","data":[{"id":"m"}]}')
    onRequest(++requests, (JSON.parse(body) as { messages: { content: string }[] }).messages[0]?.content ?? "")
    await new Promise((resolve) => setTimeout(resolve, ttftMs))
    streamChat(response, "yes", 8, 1)
  })
  return { url, endpoint: `127.0.0.1:${port}` }
}

const load = ["--model", "m", "--max-tokens", "1", "--requests", "8", "--concurrency", "4", "--no-calibrate"]

async function bench(url: string, against: string, args: readonly string[], signal = new AbortController().signal) {
  const io = fakeIo({ cwd, signal })
  const code = await main(["bench", "--url", url, "--against", against, ...load, ...args], io)
  const order = [...io.stderr().matchAll(/run \d+ of \d+: (.*)/g)].map((match) => match[1])
  return { code, out: io.stdout(), err: io.stderr(), order }
}

describe("evalkit bench --url NEW --against OLD", () => {
  it("measures both sides in turn, A B B A, and compares them by the spread between runs", async () => {
    const [old, now] = [await startModel(5), await startModel(60)]
    const { code, out, order } = await bench(now.url, old.url, ["--repeat", "3", "--json"])
    expect(order).toEqual([old, now, now, old, old, now].map(({ endpoint }) => endpoint))
    const { levels } = JSON.parse(out)
    expect(levels).toContainEqual(expect.objectContaining({ name: "ttft_ms", runs_a: 3, runs_b: 3, verdict: "slower" }))
    expect(code).toBe(3)
  })

  it("asks no prompt twice, also where a seed is given", async () => {
    const prompts: string[] = []
    const [old, now] = [await startModel(1), await startModel(1, (_, prompt) => prompts.push(prompt))]
    await bench(now.url, old.url, ["--repeat", "2", "--seed", "7", "--no-warm-up"])
    expect(prompts).toHaveLength(16)
    expect(new Set(prompts).size).toBe(16)
  })

  it("compares the runs that ended when it is interrupted", async () => {
    const stop = new AbortController()
    const old = await startModel(5)
    // In its third run.
    const now = await startModel(5, (requests) => requests === 20 && stop.abort())
    const { code, out, err } = await bench(now.url, old.url, ["--json", "--no-warm-up"], stop.signal)
    expect(code).toBe(130)
    expect(JSON.parse(out).levels).toContainEqual(expect.objectContaining({ name: "ttft_ms", runs_a: 3, runs_b: 2 }))
    expect(err).toContain("incomplete: 5 of 10 runs ended: it was interrupted")
  })

  it("keeps the runs that ended when a side no longer answers", async () => {
    const old = await startModel(5)
    let requests = 0
    const now = await serveLoopback((request, response) => {
      if (request.method !== "POST") return response.end('{"object":"list","data":[{"id":"m"}]}')
      if (++requests > 8) return response.writeHead(400).end()
      streamChat(response, "yes", 8, 1)
    })
    const { code, out, err } = await bench(now.url, old.url, ["--json", "--no-warm-up"])
    expect(code).toBe(5)
    expect(JSON.parse(out).levels).toContainEqual(expect.objectContaining({ name: "ttft_ms", runs_a: 1, runs_b: 1 }))
    expect(err).toContain(`2 of 10 runs ended: most requests to 127.0.0.1:${now.port} were not answered`)
  })

  it.each([
    ["--against without --url", ["--against", "http://127.0.0.1:9/v1"], /url/],
    ["--repeat without --against", ["--url", "http://127.0.0.1:9/v1", "--model", "m", "--repeat", "2"], /against/],
    [
      "a search, whose loads are its own",
      ["--url", "http://127.0.0.1:9/v1", "--against", "http://127.0.0.1:8/v1", "--find-rate"],
      /find-rate/,
    ],
    [
      "an option that would be ignored",
      ["--url", "http://127.0.0.1:9/v1", "--against", "http://127.0.0.1:8/v1", "--model", "m", "--out", "x"],
      /--out/,
    ],
  ])("refuses %s", async (_, args, message) => {
    const io = fakeIo({ cwd })
    expect(await main(["bench", ...args], io)).toBe(2)
    expect(io.stderr()).toMatch(message)
  })
})
