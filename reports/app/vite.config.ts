import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the page of the report: one script and one style sheet for the browser, and a module that renders it in Node. */
export default defineConfig(({ isSsrBuild }) => ({
  root: here("."),
  logLevel: "warn",
  esbuild: { jsx: "automatic", jsxDev: false, jsxImportSource: "preact", legalComments: "none" },
  ssr: { noExternal: true },
  build: {
    outDir: here("../../dist/reports/app"),
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    minify: isSsrBuild ? false : "esbuild",
    rollupOptions: {
      input: here(isSsrBuild ? "server.tsx" : "client.tsx"),
      output: {
        format: "es",
        entryFileNames: "[name].js",
        assetFileNames: "style.css",
      },
    },
  },
}))
