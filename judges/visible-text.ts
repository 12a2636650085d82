export * from "../src/core/visible-text.ts"
