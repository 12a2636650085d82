import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { local } from "../../src/providers/local.ts"
import { llamaCppServer } from "../../src/providers/presets.ts"
import { scoreInWindows } from "../../src/text/score-in-windows.ts"
import { ask, testContext } from "../support/ask.ts"

const binary = process.env.EVALKIT_LLAMA_SERVER
if (!binary)
  console.warn(
    "skipped: llama.cpp's own server; set EVALKIT_LLAMA_SERVER to the path of a llama-server to test against it",
  )

const model = fileURLToPath(new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url))
const texts = [
  "The cat wrote a letter.",
  "What is 3 plus 4? 7",
  "The café 😀 is “naïve”.",
  " two\n\tlines  ",
  "<|user|>hi",
]

describe.skipIf(!binary)("a real llama-server", () => {
  let child: ChildProcess
  let baseUrl: string
  beforeAll(async () => {
    const port = await freePort()
    const args = ["-m", model, "--host", "127.0.0.1", "--port", String(port), "-np", "4", "-c", "2048", "-t", "2"]
    child = spawn(binary as string, args, { stdio: "ignore" })
    baseUrl = `http://127.0.0.1:${port}`
    for (let tries = 0; ; tries++) {
      const ready = await fetch(`${baseUrl}/health`).catch(() => null)
      if (ready?.ok) return
      if (tries === 300 || child.exitCode !== null) throw new Error("llama-server did not start")
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }, 40_000)
  afterAll(async () => {
    if (child.exitCode === null && child.kill()) await once(child, "exit")
  })

  const open = (transport: "sdk" | "undici" = "undici") =>
    llamaCppServer({ model: "tiny-m", baseUrl: `${baseUrl}/v1`, transport }).open(testContext())

  it("scores given texts as evalkit's own server does, to 0.02 nats a token", async () => {
    const signal = new AbortController().signal
    const [theirs, own] = [await open(), await local(model).open(testContext())]
    try {
      for (const text of texts) {
        const [a, b] = [await theirs.scoreText!(text, signal, 5), await own.scoreText!(text, signal, 5)]
        expect(a.map(({ token }) => token).join("")).toBe(text)
        expect(a).toHaveLength(b.length)
        for (const [i, { logprob }] of a.entries()) expect(Math.abs(logprob - b[i]!.logprob)).toBeLessThan(0.02)
      }
      const text = texts.join(" ")
      const read = (session: typeof own) =>
        scoreInWindows(text, (piece) => session.scoreText!(piece, signal), { window: 6, stride: 3 })
      const sum = (scores: Awaited<ReturnType<typeof read>>) =>
        scores.reduce((total, { logprob }) => total + logprob, 0)
      const [a, b] = [await read(theirs), await read(own)]
      expect(a.map(({ token }) => token).join("")).toBe(text)
      expect(Math.abs(sum(a) - sum(b))).toBeLessThan(0.02 * a.length)
    } finally {
      await Promise.all([theirs.close(), own.close()])
    }
  }, 60_000)

  it.each(["sdk", "undici"] as const)(
    "loses no request, alone or in a crowd (%s)",
    async (transport) => {
      const session = await open(transport)
      try {
        const question = (i: number) =>
          ask(session, { content: `Write about a cat ${i}`, parameters: { temperature: 0, maxTokens: 12 } })
        const alone = []
        for (let i = 0; i < 40; i++) alone.push(await question(i))
        const together = await Promise.all(alone.map((_, i) => question(i)))
        const lost = [...alone, ...together].filter(({ failure, outcome }) => failure && outcome !== "empty")
        expect(lost).toEqual([])
      } finally {
        await session.close()
      }
    },
    60_000,
  )
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === "object" && address ? address.port : 0
}
