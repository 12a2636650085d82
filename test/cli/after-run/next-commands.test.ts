import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { nextCommands } from "../../../src/cli/run/next-commands.ts"
import { commandPlacer, foundPlacer } from "../../../src/cli/run/place-command.ts"
import { validateCommand } from "../../../src/cli/run/stored-commands.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 300 })
const record = { id: "7f3a9c21", status: "finished" } as const
const location = { config: "/home/ann/project/eval.config.ts", directory: "/home/ann/project/.evalkit" }
const io = (cwd = "/home/ann/project", PATH = "") => ({ cwd, environment: { PATH } })

describe("the commands that come next", () => {
  it("go through npx where no shell finds evalkit, and name the pair that the run decided on", () => {
    expect(nextCommands({ report, record }, location, io())).toEqual([
      "npx evalkit view 7f3a9c21",
      "npx evalkit compare m-f16 m-q8_0",
    ])
  })

  it("do not where it is installed; what npm adds to the path for one command does not count", async () => {
    const folder = await scratchDirectory()
    for (const bin of ["bin", "node_modules/.bin"]) {
      await mkdir(join(folder, bin), { recursive: true })
      await writeFile(join(folder, bin, "evalkit"), "")
      await chmod(join(folder, bin, "evalkit"), 0o755)
    }
    const first = (path: string) =>
      nextCommands({ report, record }, location, io("/home/ann/project", join(folder, path)))[0]
    expect(first("bin")).toBe("evalkit view 7f3a9c21")
    expect(first("node_modules/.bin")).toBe("npx evalkit view 7f3a9c21")
  })

  it("name the store and the config where they are not where a command looks", () => {
    const elsewhere = { config: "/home/ann/project/my evals/swap.ts", directory: "/home/ann/project/runs" }
    expect(nextCommands({ report, record }, elsewhere, io())[0]).toBe("npx evalkit view 7f3a9c21 --directory runs")
    const stopped = { ...record, status: "incomplete" } as const
    expect(nextCommands({ report, record: stopped }, elsewhere, io())[0]).toBe(
      "npx evalkit run 'my evals/swap.ts' --resume 7f3a9c21",
    )
    const team = { ...location, store: "postgres://db/evals" }
    expect(nextCommands({ report, record }, team, io())[0]).toBe(
      "npx evalkit view 7f3a9c21 --store postgres://db/evals",
    )
  })

  it("about a run that was found again lead to the store in which it was found", () => {
    const resume = { name: "run", words: ["--resume", "7f3a9c21"] } as const
    const result = { configPath: "/home/ann/project/evals/swap.ts" }
    expect(foundPlacer(result, { directory: "runs" }, io())(resume)).toBe(
      "npx evalkit run evals/swap.ts --resume 7f3a9c21 --directory runs",
    )
    expect(foundPlacer(result, {}, io())({ name: "view", words: ["7f3a9c21"] })).toBe("npx evalkit view 7f3a9c21")
    expect(foundPlacer(result, { store: "postgres://db/evals" }, io())(resume)).toBe(
      "npx evalkit run evals/swap.ts --resume 7f3a9c21 --store postgres://db/evals",
    )
    // A program that calls the library has no config to name.
    expect(foundPlacer({ configPath: null }, {}, io())(resume)).toBe("npx evalkit run --resume 7f3a9c21")
    expect(validateCommand("7f3a9c21", { directory: "my runs" }, io())).toBe(
      "npx evalkit judge validate --run 7f3a9c21 --directory 'my runs'",
    )
  })

  it("name a folder of the store that no config leads to", () => {
    const options = { config: "/home/ann/evals/swap.ts", directory: "/home/ann/project/runs", isDirectoryGiven: true }
    const stopped = { ...record, status: "interrupted" } as const
    expect(nextCommands({ report, record: stopped }, options, io())).toEqual([
      "npx evalkit run ../evals/swap.ts --resume 7f3a9c21 --directory runs",
      "npx evalkit view 7f3a9c21 --directory runs",
    ])
    const placed = commandPlacer(options, io())
    expect(placed({ name: "doctor", words: [] })).toBe("npx evalkit doctor ../evals/swap.ts")
    expect(placed({ name: "score", words: ["7f3a9c21"] })).toBe(
      "npx evalkit score 7f3a9c21 --config ../evals/swap.ts --directory runs",
    )
  })

  it("ask a service that refused every location again, as the summary says", () => {
    const refused = {
      ...report,
      variants: report.variants.map((variant) => ({ ...variant, outcomes: { http_4xx: variant.finished } })),
    }
    expect(nextCommands({ report: refused, record: { ...record, status: "incomplete" } }, location, io())[0]).toBe(
      `npx evalkit run --resume ${report.run.id} --retry-failed`,
    )
  })

  it("compare nothing where nothing was answered", () => {
    const silent = { ...report, variants: report.variants.map((own) => ({ ...own, outcomes: { http_4xx: 6 } })) }
    expect(nextCommands({ report: silent, record }, location, io())).toEqual(["npx evalkit view 7f3a9c21"])
  })
})
