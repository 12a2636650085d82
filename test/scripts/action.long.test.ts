import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { serveLoopback } from "../support/loopback.ts"
import { isNightly } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}
const read = (path: string) => readFileSync(join(root, path), "utf8")
const action = parse(read("action.yml")) as {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const opened: { close(): void }[] = []
afterEach(() => {
  for (const entry of opened.splice(0)) entry.close()
})

interface Comment {
  readonly id: number
  body: string
  readonly user: { readonly login: string }
}

/** GitHub's interface of comments, as far as the Action asks it. */
async function startComments(comments: Comment[], status = 200) {
  const asked: string[] = []
  const server = await serveLoopback((request, response, text) => {
    const url = new URL(request.url ?? "", "http://x")
    asked.push(`${request.method} ${url.pathname} ${request.headers.authorization}`)
    const answer = (code: number, value: unknown) =>
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(value))
    if (request.method === "GET") {
      const page = Number(url.searchParams.get("page"))
      return answer(200, comments.slice((page - 1) * 100, page * 100))
    }
    if (status !== 200) return answer(status, { message: "Resource not accessible by integration" })
    const { body } = JSON.parse(text) as { body: string }
    const id = Number(url.pathname.split("/").at(-1))
    const values = comments.find((entry) => entry.id === id)
    if (request.method === "PATCH" && values) values.body = body
    else comments.push({ id: 1000 + comments.length, body, user: { login: "github-actions[bot]" } })
    return answer(request.method === "PATCH" ? 200 : 201, {})
  })
  return { url: server.origin, asked }
}

/** A project with evalkit installed, as `npm ci` leaves it: the example of the gate. */
function project(): string {
  const folder = scratchDirectory()
  cpSync(join(root, "examples/ci-gate"), folder, { recursive: true })
  const config = readFileSync(join(folder, "eval.config.ts"), "utf8")
  // Nothing is known of costs: the chart is of quality and time.
  writeFileSync(
    join(folder, "eval.config.ts"),
    config.replace("  metrics:", '  axes: ["quality", "e2eMs"],\n  metrics:'),
  )
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(root, join(folder, "node_modules/evalkit"), "junction")
  writeFileSync(join(folder, "event.json"), JSON.stringify({ pull_request: { number: 7 } }))
  return folder
}

/** Runs one of the Action's scripts as its step does. */
function step(name: string, folder: string, environment: Readonly<Record<string, string>> = {}) {
  const names = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_EVENT_PATH: join(folder, "event.json"),
  }
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, GITHUB_REPOSITORY: "o/r", ...names, ...environment }
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(root, "scripts/action", `${name}.mjs`)],
      { cwd: folder, env, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const report = (folder: string, text: string) => {
  mkdirSync(join(folder, ".evalkit/ci"), { recursive: true })
  writeFileSync(join(folder, ".evalkit/ci/report.md"), text)
}

describe("action.yml", () => {
  const { steps } = action.runs

  it("is a composite action whose steps run scripts that exist, with a shell", () => {
    expect(action.runs.using).toBe("composite")
    for (const { run, shell, uses } of steps) {
      expect(run === undefined).toBe(uses !== undefined)
      if (run === undefined) continue
      expect(shell).toBe("bash")
      const script = /^node "\$GITHUB_ACTION_PATH\/(.+)"$/.exec(run)?.[1]
      expect(script && existsSync(join(root, script)), run).toBe(true)
    }
  })

  it("takes only inputs and outputs that are there, and puts none into a shell's text", () => {
    const used = [
      ...read("action.yml").matchAll(/\$\{\{ *inputs\.([\w-]+)/g),
      ...read("action.yml").matchAll(/if: inputs\.([\w-]+)/g),
    ].map(([, name]) => name)
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)))
    for (const { run = "" } of steps) expect(run).not.toContain("${{")
    const ids = steps.flatMap(({ id }) => id ?? [])
    for (const { value } of Object.values(action.outputs)) expect(ids).toContain(/steps\.([\w-]+)\./.exec(value)?.[1])
  })

  it("pins what it and the example use by a version", () => {
    const all = [read("action.yml"), read("examples/ci-gate/workflow.yml")].flatMap((text) =>
      [...text.matchAll(/uses: *(\S+)/g)].map(([, name]) => name),
    )
    expect(all.length).toBeGreaterThan(2)
    for (const name of all) expect(name).toMatch(/@(v\d+(\.\d+)*|[0-9a-f]{40})$/)
    const { jobs } = parse(read("examples/ci-gate/workflow.yml")) as {
      jobs: { gate: { steps: { uses?: string; with?: object }[] } }
    }
    const own = jobs.gate.steps.find(({ uses }) => uses?.includes("/evalkit@"))
    for (const name of Object.keys(own?.with ?? {})) expect(Object.keys(action.inputs)).toContain(name)
  })
})

describe("the steps of the Action", () => {
  it("run, keep the reports, comment once and renew the comment, and end as the gate ended", {
    timeout: 120_000,
  }, async () => {
    const folder = project()
    const comments: Comment[] = [
      ...Array.from({ length: 130 }, (_, id) => ({ id, body: "hello", user: { login: "someone" } })),
      { id: 500, body: "<!-- evalkit-comment: evalkit -->\nnot evalkit's", user: { login: "mallory" } },
    ]
    const { url, asked } = await startComments(comments)
    const key = "sk-secret-key-0123456789"
    const evaluated = await step("evaluate", folder, {
      EVALKIT_ARGUMENTS: "--budget=1000 requests\n",
      OPENAI_API_KEY: key,
    })
    expect(evaluated.code, evaluated.stderr).toBe(0)
    const outputs = Object.fromEntries(
      readFileSync(join(folder, "output"), "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("=")),
    )
    expect(outputs.run).toMatch(/^[0-9a-f]{8}$/)
    for (const file of ["report.json", "report.md", "junit.xml", "report.html"])
      expect(existsSync(join(folder, ".evalkit/ci", file)), file).toBe(true)
    expect(readFileSync(join(folder, "summary"), "utf8")).toContain("## ")
    const environment = { EVALKIT_TOKEN: "ghs_token_0123456789", GITHUB_API_URL: url, OPENAI_API_KEY: key }
    expect((await step("comment", folder, environment)).stdout).toContain("wrote a comment")
    expect((await step("comment", folder, environment)).stdout).toContain("renewed its comment")
    const own = comments.filter(({ user }) => user.login === "github-actions[bot]")
    expect(own).toHaveLength(1)
    expect(own[0]?.body).toMatch(/^<!-- evalkit-comment: evalkit -->\n## [\s\S]*```mermaid/)
    expect(comments.find(({ id }) => id === 500)?.body).toContain("not evalkit's")
    expect(asked.every((line) => line.endsWith("Bearer ghs_token_0123456789"))).toBe(true)
    const finished = await step("finish", folder, { EVALKIT_EXIT_CODE: outputs["exit-code"] })
    expect(finished.code).toBe({ 3: 3, 4: 0, 0: 0 }[Number(outputs["exit-code"])])
  })

  it("report no earlier run where the config cannot be read, and fail", {
    skip: !isNightly,
    timeout: 60_000,
  }, async () => {
    const folder = project()
    report(folder, "old")
    writeFileSync(join(folder, "eval.config.ts"), "export default {")
    expect((await step("evaluate", folder)).code).toBe(0)
    expect(readFileSync(join(folder, "output"), "utf8")).toBe("exit-code=2\nrun=\nverdict=\n")
    expect(existsSync(join(folder, ".evalkit/ci/report.md"))).toBe(false)
    expect((await step("finish", folder, { EVALKIT_EXIT_CODE: "2" })).code).toBe(2)
  })

  it.each([
    ["0", "", 0],
    ["3", "", 3],
    ["4", "false", 0],
    ["4", "true", 4],
    ["5", "", 5],
    ["", "", 1],
  ])("end with %s (fail-on-inconclusive %s) as %i", async (code, strict, expected) => {
    const environment = { EVALKIT_EXIT_CODE: code, EVALKIT_FAIL_ON_INCONCLUSIVE: strict }
    expect((await step("finish", scratchDirectory(), environment)).code).toBe(expected)
  })

  it("skip the comment with a sentence: no pull request, no token, a fork's token", { skip: !isNightly }, async () => {
    const folder = project()
    report(folder, "## Verdict")
    const { url } = await startComments([], 403)
    const environment = { EVALKIT_TOKEN: "ghs_token_0123456789", GITHUB_API_URL: url }
    expect(await step("comment", folder, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("HTTP 403), as in a pull request from a fork"),
    })
    expect(await step("comment", folder, { GITHUB_API_URL: url })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("there is no token"),
    })
    writeFileSync(join(folder, "event.json"), "{}")
    expect(await step("comment", folder, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no pull request"),
    })
    expect((await step("comment", folder, { ...environment, GITHUB_EVENT_PATH: "gone" })).code).toBe(0)
  })

  it("take keys out of a comment, and cut one that is too long at a line, with its code closed", async () => {
    const folder = project()
    const { url } = await startComments([])
    const sent: Comment[] = []
    const service = await startComments(sent)
    report(folder, `key sk-very-secret-0123\n\`\`\`mermaid\n${"line of a chart\n".repeat(9000)}\`\`\`\n`)
    await step("comment", folder, {
      EVALKIT_TOKEN: "ghs_token_0123456789",
      GITHUB_API_URL: service.url,
      MY_API_KEY: "sk-very-secret-0123",
      EVALKIT_COMMENT_NAME: "a --> b",
    })
    const { body } = sent[0] as Comment
    expect(url).toBeTruthy()
    expect(body).toContain("key •••")
    expect(body).toMatch(/^<!-- evalkit-comment: a--b -->/)
    expect(body.length).toBeLessThan(65_536)
    expect(body).toMatch(/line of a chart\n```\n\nThe rest is in the artefact\.\n$/)
  })
})

describe("templates/evalkit.gitlab-ci.yml", () => {
  const template = parse(read("templates/evalkit.gitlab-ci.yml")) as Readonly<
    Record<
      string,
      {
        readonly script: readonly string[]
        readonly allow_failure: object
        readonly artifacts: { readonly reports: Readonly<Record<string, string>> }
      }
    >
  >

  it("runs as a script, and leaves JUnit and figures where it says", { timeout: 120_000 }, async () => {
    const job = template[".evalkit"]
    expect(job?.allow_failure).toEqual({ exit_codes: [4] })
    const folder = project()
    mkdirSync(join(folder, "node_modules/.bin"))
    symlinkSync(join(root, "dist/src/cli/bin.js"), join(folder, "node_modules/.bin/evalkit"))
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
    // What GitLab does with a script: one shell, each line after the other, the end at the first that fails.
    const script = ["set -eo pipefail", ...(job?.script ?? []).filter((line) => line !== "npm ci")].join("\n")
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, EVALKIT_CONFIG: "", EVALKIT_BUDGET: "1000 requests" }
    const code = await new Promise<number>((resolve) => {
      execFile("bash", ["-c", script], { cwd: folder, env, timeout: 90_000 }, (error) =>
        resolve(error ? Number(error.code) : 0),
      )
    })
    expect([0, 3, 4]).toContain(code)
    const { junit = "", metrics = "" } = job?.artifacts.reports ?? {}
    expect(readFileSync(join(folder, junit), "utf8")).toContain("<testsuite")
    expect(readFileSync(join(folder, metrics), "utf8")).toMatch(
      /^evalkit_quality\{variant="main",metric="exactMatch"\} [\d.]+$/m,
    )
  })
})
