import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/run/run.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

describe("evalkit run", () => {
  const run = async (args: Record<string, unknown>) => command.run(args, fakeIo({ cwd: scratchDirectory() }))

  it("refuses to decide on a part of the samples alone", async () => {
    await expect(run({ until: "decided", shard: "1/2" })).rejects.toThrow(
      /--until and --shard do not go together: --until decided --shard 1\/2; a part of the samples cannot tell/,
    )
  })
  it("refuses options that another one leaves without a meaning", async () => {
    await expect(run({ extend: "", until: "decided" })).rejects.toThrow(/--extend and --until do not go together/)
    await expect(run({ retryFailed: ["http_5xx"] })).rejects.toThrow(/--retry-failed needs --resume/)
  })
})
