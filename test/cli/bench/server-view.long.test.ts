import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit, startEndpoint } from "./endpoint.ts"

const folder = scratchDirectory()
const hostile = "<script>alert(1)</script>\u001b[2J"
let endpoint: Awaited<ReturnType<typeof startEndpoint>>
beforeAll(async () => {
  // 20 ms of queue and 30 ms of prefill for each request.
  const metrics = (n: number) => `# HELP vllm:num_requests_running ${hostile}
vllm:num_requests_running{model_name="${hostile}"} 2
vllm:kv_cache_usage_perc{model_name="m"} 0.4
vllm:request_success_total{finished_reason="stop"} ${n}
vllm:prefix_cache_queries_total ${n * 10}
vllm:prefix_cache_hits_total ${n * 3}
vllm:request_queue_time_seconds_sum ${n * 0.02}
vllm:request_queue_time_seconds_count ${n}
vllm:request_prefill_time_seconds_sum ${n * 0.03}
vllm:request_prefill_time_seconds_count ${n}
`
  endpoint = await startEndpoint({}, [], metrics)
})
afterAll(async () => {
  await endpoint.close()
})

describe("evalkit bench beside the server's own metrics", () => {
  const here = ["--no-calibrate", "--capture-threads", "0", "--requests", "6", "--concurrency", "2"]

  it("reads what the load did, without its warm-up, into JSON, text and page", async () => {
    const bench = ["bench", "--url", endpoint.url, "--model", "m", ...here]
    const [level] = JSON.parse((await evalkit([...bench, "--json"], folder)).out)
    expect(level.server.metrics).toMatchObject({
      dialect: "vLLM",
      counts: { requests: 6 },
      kv_cache_usage: { most: 0.4 },
      prefix_cache_hit_rate: expect.closeTo(0.3, 9),
      warnings: [],
    })
    expect(level.server.metrics.mean_ms.queueMs).toBeCloseTo(20, 6)
    expect(level.server.metrics.mean_ms.prefillMs).toBeCloseTo(30, 6)
    expect(level.server.metrics.mean_ms.decodeMs).toBeNull()
    // The endpoint answers after about 20 ms: the queue and the prompt that it states cannot both be true.
    const { first_token: split } = level.server.metrics
    expect(split.client_ms).toBeGreaterThan(15)
    expect(split.rest_ms).toBeCloseTo(split.client_ms - 50, 6)
    expect(level.server.disagreements).toEqual([
      expect.stringContaining("before the server says that it had read the prompt"),
    ])
    const { out } = await evalkit([...bench, "--html", "load.html"], folder)
    expect(out).toMatch(
      /the server's own view +queue +prefill +first token, client +network and other +running +KV cache +prefix cache hits\n/,
    )
    expect(out).toMatch(/metrics \(vLLM\), means +20\.0 +30\.0 +[\d.]+ +−[\d.]+ +2\.00 +40\.0 % +30\.0 %\n/)
    expect(out).toContain("client and server disagree: the first token came")
    expect(out).not.toContain("\u001b")
    const page = readFileSync(join(folder, "load.html"), "utf8")
    expect(page).toMatch(/The server.{1,6}s own view/)
    expect(page).not.toContain("alert(1)")
  })

  it("counts the queue to the rest of the first token where the server does not state one", async () => {
    const llama = (n: number) => `llamacpp:prompt_tokens_total ${n * 8}
llamacpp:prompt_seconds_total ${n * 0.002}
llamacpp:tokens_predicted_seconds_total ${n * 0.05}
llamacpp:requests_deferred 3
`
    const served = await startEndpoint({}, [], llama)
    const { out } = await evalkit(["bench", "--url", served.url, "--model", "m", ...here])
    await served.close()
    expect(out).toMatch(/the server's own view +prefill +decode +first token, client +network and other +waiting\n/)
    expect(out).toMatch(/metrics \(llama\.cpp\), means +2\.00 +50\.0 +[\d.]+ +[\d.]+ +3\.00\n/)
    expect(out).toContain("and the queue where the server does not state one")
  })

  it("says nothing of a server without such metrics, and refuses an address that is none", async () => {
    const plain = await startEndpoint()
    const [level] = JSON.parse((await evalkit(["bench", "--url", plain.url, "--model", "m", ...here, "--json"])).out)
    await plain.close()
    expect(level.server).toBeNull()
    const refused = await evalkit([
      "bench",
      "--url",
      endpoint.url,
      "--model",
      "m",
      "--metrics-url",
      "file:///etc/hosts",
    ])
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining("--metrics-url must be a web address") })
  })
})
