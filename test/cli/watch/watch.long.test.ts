import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { openRunStore } from "../../../src/store/run-store.ts"
import { type CliOptions, runCli } from "../../support/cli.ts"
import { serveLoopback, streamChat } from "../../support/loopback.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"

vi.setConfig({ testTimeout: 120_000 })

let folder: string
let fails = false
let waitMs = 0
let asked = 0
let posts: { text: string; began: { kind: string }[]; ended: { kind: string }[] }[] = []

const server = await serveLoopback(async (request, response, body) => {
  if (request.url === "/hook") {
    posts.push(JSON.parse(body))
    return response.end()
  }
  if (request.method === "GET") return response.end("{}")
  asked++
  if (fails || request.url?.startsWith("/broken"))
    return response.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"out"}}')
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  streamChat(response, "yes", 5, 1)
})
const origin = server.origin
beforeEach(() => {
  ;[fails, waitMs, asked, posts] = [false, 0, 0, []]
  folder = scratchDirectory()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig, exactMatch, inline, openai } from "evalkit"
     const rows = Array.from({ length: 40 }, (_, i) => ({ id: "q" + i, input: "say yes " + i, reference: "yes" }))
     export default defineConfig({ dataset: inline(rows), metrics: [exactMatch()], retry: { retries: 0 }, concurrency: 4,
       variants: [{ name: "a", provider: openai({ model: "m", baseUrl: ${JSON.stringify(`${origin}/v1`)}, apiKeyVariable: null }) }] })`,
  )
})

const watch = (args: readonly string[], more: Partial<CliOptions> = {}) =>
  runCli(["watch", "--json", "--limit", "10", ...args], { cwd: folder, limitMs: 100_000, ...more })
const runs = () => {
  const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
  try {
    return [...store.runs()]
  } finally {
    store.close()
  }
}
const lines = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("evalkit watch", () => {
  it("runs at intervals, asks anew each time, and tells medians of the last 72 hours", {
    skip: !isNightly,
  }, async () => {
    const { code, stdout, stderr } = await watch(["--every", "2s", "--rounds", "2"])
    expect([code, stderr.includes("Error")]).toEqual([0, false])
    const rounds = lines(stdout)
    expect(rounds).toHaveLength(2)
    expect(asked).toBe(20)
    expect(rounds[1]).toMatchObject({
      alarms: [],
      last_72_hours: [{ variant: "a", runs: 2, availability: 1, e2e_ms: expect.any(Number), cost_usd: null }],
    })
    const [newest, first] = runs()
    expect(Date.parse(newest?.startedAt ?? "") - Date.parse(first?.startedAt ?? "")).toBeGreaterThan(900)
    const words = await runCli(["watch", "--limit", "10", "--every", "1s", "--rounds", "1"], {
      cwd: folder,
      limitMs: 100_000,
    })
    expect(words.stdout).toMatch(/ a: 3 runs of 72 hours, .* cost of an answer unknown; answered 100 %\n$/)
  })

  it("alarms when errors burn the budget, tells the webhook once, and that it is over when it is", async () => {
    const hook = ["--webhook", `${origin}/hook`, "--every", "1s"]
    await watch([...hook, "--rounds", "1"])
    fails = true
    const { code, stdout, stderr } = await watch([...hook, "--rounds", "2"])
    expect(code, stderr).toBe(3)
    expect(lines(stdout).at(-1).alarms).toMatchObject([{ kind: "errors", variant: "a" }])
    expect(posts.map(({ began }) => began.map(({ kind }) => kind))).toEqual([["errors"]])
    expect(posts[0]?.text).toMatch(/^evalkit: a: Errors of the last \d+ hours? use up the budget of a 99\.9 % target/)
    const stopped = await watch([...hook, "--rounds", "9", "--stop-on-alarm"])
    expect([stopped.code, lines(stopped.stdout).length]).toEqual([3, 1])
    fails = false
    // The short window of the last hour is five minutes long: it still has the errors; a target of 1 % forgives them.
    const calm = await watch([...hook, "--rounds", "1", "--target", "0.01"])
    expect([calm.code, posts.at(-1)?.ended.map(({ kind }) => kind)]).toEqual([0, ["errors"]])
  })

  it("goes on though the webhook does not answer, and refuses what is no address without printing it", {
    skip: !isNightly,
  }, async () => {
    fails = true
    const { code, stderr } = await watch(["--every", "1s", "--rounds", "1", "--webhook", "http://127.0.0.1:9/secret"])
    expect([code, stderr.includes("could not be called"), stderr.includes("secret")]).toEqual([3, true, false])
    const wrong = await watch(["--webhook", "file:///secret"])
    expect([wrong.code, wrong.stderr.includes("secret")]).toEqual([2, false])
  })

  it("says when the next run begins, ends at once at SIGTERM while it waits, and lets no second watch of the same store run beside it", async () => {
    let second: ReturnType<typeof watch> | undefined
    const first = await watch(["--every", "1h"], {
      started: (child) =>
        child.stdout?.once("data", async () => {
          second = watch(["--rounds", "1"])
          await second
          child.kill("SIGTERM")
        }),
    })
    expect([first.code, first.signal, lines(first.stdout).length]).toEqual([0, null, 1])
    expect(first.stderr).toMatch(/^evalkit: the next run begins at \d{4}-\d\d-\d\d \d\d:\d\d \S+$/m)
    const { code, stderr } = (await second) ?? {}
    expect(code).toBe(2)
    expect(stderr).toContain("another")
    expect(runs()).toHaveLength(1)
  })

  it("says in seconds what happens within the minute, and of recorded answers that nobody's service was measured", {
    skip: !isNightly,
  }, async () => {
    writeFileSync(
      join(folder, "eval.config.ts"),
      `import { defineConfig, exactMatch, inline, recorded } from "evalkit"
       export default defineConfig({ dataset: inline([{ id: "q", input: "say yes", reference: "yes" }]), metrics: [exactMatch()],
         variants: [{ name: "a", provider: recorded([{ id: "q", text: "yes" }]) }] })`,
    )
    const { code, stdout, stderr } = await runCli(["watch", "--every", "4s", "--rounds", "2"], { cwd: folder })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^evalkit: the next run begins in [234] s$/m)
    expect(stdout).toMatch(
      / a: 2 runs of 72 hours, and no answer of them came from a service that could be measured\n$/,
    )
  })

  it("keeps the watches of two configs that share a store apart", { skip: !isNightly }, async () => {
    const config = readFileSync(join(folder, "eval.config.ts"), "utf8")
    writeFileSync(
      join(folder, "other.config.ts"),
      config.replace('name: "a"', 'name: "b"').replace('yes " + i', 'it " + i'),
    )
    const once = ["--every", "1h", "--rounds", "1", "--webhook", `${origin}/hook`]
    fails = true
    expect((await watch(once)).code).toBe(3)
    fails = false
    const other = await watch(["other.config.ts", ...once])
    expect(other.code, other.stderr).toBe(0)
    expect(lines(other.stdout)[0].last_72_hours).toMatchObject([{ variant: "b", runs: 1 }])
    // Nobody has looked at the first config's service again: its alarm stands.
    expect(posts.map(({ ended }) => ended)).toEqual([[]])
    // A run of the other config that begins within a round is the store's newest, and is not the one that is watched.
    waitMs = 1500
    asked = 0
    let beside: ReturnType<typeof runCli> | undefined
    const look = setInterval(() => {
      if (asked === 0 || beside) return
      waitMs = 0
      beside = runCli(["run", "other.config.ts", "--limit", "2", "--no-cache", "--no-html"], { cwd: folder })
    }, 20)
    const second = await watch(["--every", "1s", "--rounds", "1"])
    clearInterval(look)
    await beside
    expect(lines(second.stdout)[0].last_72_hours).toMatchObject([{ variant: "a", runs: 2 }])
  })

  it("holds no failure of the model that plays the user against the service", { skip: !isNightly }, async () => {
    writeFileSync(
      join(folder, "eval.config.ts"),
      `import { defineConfig, episode, exactMatch, inline, openai, simulatedUser } from "evalkit"
       const rows = Array.from({ length: 10 }, (_, i) => ({ id: "q" + i, goal: "to hear yes " + i, reference: "yes" }))
       const user = simulatedUser({ goal: "{{goal}}",
         provider: openai({ model: "user", baseUrl: ${JSON.stringify(`${origin}/broken`)}, apiKeyVariable: null }) })
       export default defineConfig({ dataset: inline(rows), metrics: [exactMatch()], retry: { retries: 0 }, concurrency: 4,
         variants: [{ name: "a", episode: episode({ user }), provider: openai({ model: "m", baseUrl: ${JSON.stringify(`${origin}/v1`)}, apiKeyVariable: null }) }] })`,
    )
    const { code, stdout, stderr } = await watch(["--every", "1h", "--rounds", "1"])
    expect(code, stderr).toBe(0)
    expect(lines(stdout)[0]).toMatchObject({
      alarms: [],
      last_72_hours: [{ variant: "a", runs: 1, availability: null }],
    })
    const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
    const outcomes = store.runs().flatMap(({ id }) => Array.from(store.finished(id), ({ outcome }) => outcome))
    store.close()
    expect(new Set(outcomes)).toEqual(new Set(["user_failed"]))
  })

  it("continues a run that SIGTERM cut off", { skip: !isNightly }, async () => {
    await watch(["--rounds", "1", "--every", "1h"])
    waitMs = 400
    asked = 0
    const cut = await watch(["--every", "1s", "--rounds", "1"], {
      started: (child) => {
        const look = setInterval(() => {
          if (asked < 5) return
          clearInterval(look)
          child.kill("SIGTERM")
        }, 20)
      },
    })
    expect(cut.code, cut.stderr).toBe(130)
    const [open] = runs()
    expect(open?.status).toBe("interrupted")
    waitMs = 0
    const { code, stdout, stderr } = await watch(["--every", "1h", "--rounds", "1"])
    expect(code, stderr).toBe(0)
    expect(lines(stdout)[0].last_72_hours[0]).toMatchObject({ runs: 2, availability: 1 })
    expect(runs().map(({ id, status }) => [id, status])).toContainEqual([open?.id, "finished"])
  })
})
