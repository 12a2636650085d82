import { writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { chunkEvent } from "../../support/fault-server.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/**
 * Two judges behind two addresses with one model's name. The first says yes where its prompt holds "lenient" or "Paris", else no;
 * the second always says yes.
 */
const asked: { readonly place: string; readonly prompt: string }[] = []
let server: Server
let port = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () => {
      const location = request.url?.startsWith("/second") ? "second" : "first"
      asked.push({ place: location, prompt: body })
      const verdict = location === "second" || /lenient|Paris/.test(body) ? "yes" : "no"
      const content = JSON.stringify({ reason: "because", verdict })
      const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } }
      response.setHeader("content-type", "text/event-stream")
      response.end(
        `${chunkEvent({ content })}${chunkEvent({}, "stop")}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const cwd = scratchDirectory()

interface Project {
  readonly words?: string
  readonly place?: "first" | "second"
  readonly model?: string
  readonly options?: string
  readonly reference?: string
}

let configs = 0

/** A config of one recorded variant and a judge, in a file of its own. */
function config({ words = "strict", place = "first", model = "judge", options = "", reference = "Rome" }: Project) {
  const name = `config${configs++}.ts`
  writeFileSync(
    join(cwd, name),
    `import { defineConfig, defineRubric, inline, openai, recorded, rubric, variant } from "evalkit"
const words = defineRubric({
  name: "right", instructions: "Be ${words}. Is it right?", choices: { yes: 1, no: 0 }, fields: ["output", "reference"],
})
const provider = openai({ model: "${model}", baseUrl: "http://127.0.0.1:${port}/${place}/v1", apiKeyVariable: null })
export default defineConfig({
  dataset: inline([{ id: "a", input: "Where?", reference: "${reference}" }, { id: "b", input: "Where else?", reference: "${reference}" }]),
  variants: [variant({ name: "answers", provider: recorded([{ id: "a", text: "there" }, { id: "b", text: "here" }]) })],
  metrics: [rubric({ provider, rubric: words, ${options} })],
  reports: [],
})
`,
  )
  return name
}

async function evalkit(...argv: string[]) {
  const io = fakeIo({ cwd, environment: { EVALKIT_CACHE_DIR: join(cwd, "cache") } })
  const before = asked.length
  const code = await main(argv, io)
  expect(code, io.stderr()).toBe(0)
  return { out: io.stdout(), calls: asked.length - before }
}

/** Id of a new run, and the verdicts that are in the store. */
async function newRun(project: Project) {
  const { out, calls } = await evalkit("run", config(project), "--json")
  const { id } = (JSON.parse(out) as { run: { id: string } }).run
  return { id, calls, scores: scoresOf(id) }
}

function scoresOf(run: string): readonly (number | null)[] {
  const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
  try {
    return [...store.rows(run, "answers", "right")].map(({ value }) => value)
  } finally {
    store.close()
  }
}

describe("a verdict and who gave it", () => {
  it("are kept while nothing changes: neither scoring again nor another run asks twice", async () => {
    const { id, calls, scores } = await newRun({})
    expect({ calls, scores }).toEqual({ calls: 2, scores: [0, 0] })
    expect((await evalkit("score", id, "--config", config({}), "--only-missing")).calls).toBe(0)
    expect((await newRun({})).calls).toBe(0)
  })

  it.each([
    ["the rubric's words", { words: "lenient" }, [1, 1]],
    ["the endpoint behind the same model's name", { place: "second" }, [1, 1]],
    ["the model", { model: "other" }, [0, 0]],
    ["a parameter of the judge", { options: "parameters: { maxTokens: 77 }" }, [0, 0]],
    ["the leave to abstain", { options: "abstain: true" }, [0, 0]],
    ["what it is shown of a text", { options: "maxCharacters: 3" }, [0, 0]],
  ] as const)("%s: a change is judged anew by --only-missing and by --resume", async (_what, change, scores) => {
    const { id } = await newRun({})
    const missing = await evalkit("score", id, "--config", config(change), "--only-missing")
    // Cut texts of three characters make another prompt of the answers, so that both are asked.
    expect(missing.calls).toBe(2)
    expect(scoresOf(id)).toEqual(scores)

    const resumed = await newRun({})
    await evalkit("run", config(change), "--resume", resumed.id)
    expect(scoresOf(resumed.id)).toEqual(scores)
    const judged = openRunStore(join(cwd, ".evalkit"), { readonly: true })
    const calls = [...judged.modelCalls(resumed.id)].length
    judged.close()
    // Two verdicts of the first judge and two of the changed one: new questions, or answers to the same ones from the cache.
    expect(calls).toBe(4)
  })

  it("a changed reference is another question: no old verdict stands for it", async () => {
    await newRun({})
    const { calls, scores } = await newRun({ reference: "Paris" })
    expect({ calls, scores }).toEqual({ calls: 2, scores: [1, 1] })
  })
})
