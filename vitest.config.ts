import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/** Tests that need a process of their own: they take over its signals, measure its memory, or load what one process loads once. */
const ownProcess = "test/{cli,queue,examples,benchmarks,package}/**"
const alone = [`${ownProcess}/*.test.ts`, "test/platform/free-unused.test.ts"]
/** Tests that take more than eight seconds: `npm test` leaves them out. */
const long = "test/**/*.long.*"

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
    projects: [
      { extends: true, test: { name: "quick, alone", include: alone, exclude: [long] } },
      { extends: true, test: { name: "long, alone", include: [`${ownProcess}/*.long.test.ts`] } },
      // One process for many files, which load their modules once: half of the time.
      {
        extends: true,
        test: {
          name: "quick, together",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...alone, long],
          isolate: false,
        },
      },
      { extends: true, test: { name: "long, together", include: [long], exclude: alone, isolate: false } },
    ],
  },
})
