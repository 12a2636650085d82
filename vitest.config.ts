import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^evalkit$/, replacement: source("index.ts") },
      { find: /^evalkit\/(\w+)$/, replacement: source("$1.ts") },
    ],
  },
  test: { include: ["test/**/*.test.{ts,tsx}"], testTimeout: 30_000, hookTimeout: 60_000, maxWorkers: 2 },
})
