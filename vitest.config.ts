import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/** Tests that need a process of their own: they take over its signals, measure its memory, or load what one process loads once. */
const alone = ["test/{cli,queue,examples,benchmarks,package}/**/*.test.ts", "test/platform/free-unused.test.ts"]

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
      { extends: true, test: { name: "alone", include: alone } },
      // One process for many files, which load their modules once: half of the time.
      {
        extends: true,
        test: { name: "together", include: ["test/**/*.test.{ts,tsx}"], exclude: alone, isolate: false },
      },
    ],
  },
})
