export * from "../src/text/fence.ts"
