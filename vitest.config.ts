import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { daily, isNightly } from "./test/support/nightly.ts"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/** Tests of commands beside each other in one process: they take nothing of it over. */
const cliTogether = [
  "application",
  "caller-ledger",
  "completion",
  "doctor-finds",
  "dry-run-advice",
  "first-calls",
  "levels",
  "one-account",
  "pictures",
  "redacted-import",
  "redacted-report",
  "run",
  "run-control",
  "score",
  "score-columns",
  "services",
  "structured",
]

/**
 * Tests that need a process of their own: they take over its signals, measure its memory, or load what one process loads once. Those
 * that call commands as functions need none, and each alone would load all of evalkit's modules anew.
 *
 * @param names only those; absent: all
 */
const alone = (kind: "test" | "long.test", names?: readonly string[]) => {
  const file = names ? `{${names.join(",")}}` : "*"
  const command = names
    ? `{${names.filter((name) => !cliTogether.includes(name)).join(",")}}`
    : `!(${cliTogether.join("|")})`
  return [
    `test/{queue,examples,benchmarks,package}/**/${file}.${kind}.ts`,
    `test/cli/${command}.${kind}.ts`,
    `test/cli/!(after-run|bench|bills|canary|commands|dry-run|files|init|judges|line|plans|scoring|tasks|view|watch)/**/${file}.${kind}.ts`,
    ...(kind === "test"
      ? [
          "test/analyse/compare/bytes-of-logs.test.ts",
          "test/platform/collect-garbage.test.ts",
          "test/public/option-checks.test.ts",
        ]
      : []),
  ]
}
/** Tests that take more than five seconds: `npm test` leaves them out. */
const long = "test/**/*.long.*"

const names = isNightly ? undefined : daily

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
    globalSetup: [
      "test/support/setup/published-schemas.mjs",
      "test/support/setup/own-modules.mjs",
      "test/support/setup/shared-runs.ts",
    ],
    setupFiles: ["test/support/setup/after-each-file.ts"],
    // The projects share what one of them has compiled, and a later run what an earlier one has.
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: "quick, alone", include: alone("test"), exclude: [long] } },
      { extends: true, test: { name: "long, alone", include: alone("long.test", names) } },
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
        test: {
          name: "long, together",
          include: [isNightly ? long : `test/**/{${daily.join(",")}}.long.*`],
          exclude: alone("long.test"),
          isolate: false,
        },
      },
    ],
  },
})
