export * from "../src/text/visible-text.ts"
