import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { isNightly } from "./test/support/nightly.ts"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/**
 * Tests that need a process of their own: they take over its signals, measure its memory, or load what one process loads once. Those
 * that call commands as functions need none, and each alone would load all of evalkit's modules anew.
 */
const alone = (kind: "test" | "long.test") => [
  `test/{queue,examples,benchmarks,package}/**/*.${kind}.ts`,
  `test/cli/!(application|completion|doctor-finds|dry-run-advice|first-calls|levels|one-account|pictures|run-control|score|score-columns|services|structured).${kind}.ts`,
  `test/cli/!(after-run|bills|canary|commands|dry-run|files|init|judges|line|scoring|tasks)/**/*.${kind}.ts`,
  ...(kind === "test" ? ["test/platform/free-unused.test.ts"] : []),
]
/** Tests that take more than eight seconds: `npm test` leaves them out. */
const long = "test/**/*.long.*"

/** Long tests of what a shorter one tries by another way: they run where EVALKIT_NIGHTLY is 1. */
const nightly = isNightly
  ? []
  : [
      "test/benchmarks/{hourly-cost,ledger}.long.test.ts",
      "test/cli/{batch-kills,large-logprobs,function-times}.long.test.ts",
      "test/cli/queue/!(fleet).long.test.ts",
      "test/cli/terminal/widths.long.test.ts",
      "test/deploy/image.long.test.ts",
      "test/reports/bench/page.long.browser.test.ts",
      "test/reports/page/!(hostile|opening|tasks|samples).long.browser.test.ts",
      "test/run/episode/*-kills.long.test.ts",
      "test/store/postgres/contended-quota.long.test.ts",
    ]

export default defineConfig({
  resolve: {
    alias: [
      { find: /^evalkit$/, replacement: source("index.ts") },
      { find: /^evalkit\/(\w+)$/, replacement: source("$1.ts") },
    ],
  },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: ["test/support/setup/own-modules.mjs", "test/support/setup/shared-runs.ts"],
    setupFiles: ["test/support/setup/after-each-file.ts"],
    // The projects share what one of them has compiled, and a later run what an earlier one has.
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: "quick, alone", include: alone("test"), exclude: [long] } },
      { extends: true, test: { name: "long, alone", include: alone("long.test"), exclude: nightly } },
      // One process for many files, which load their modules once: half of the time.
      {
        extends: true,
        test: {
          name: "quick, together",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...alone("test"), long],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "long, together", include: [long], exclude: [...alone("test"), ...nightly], isolate: false },
      },
    ],
  },
})
