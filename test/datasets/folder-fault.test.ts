import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { dataset } from "../../datasets/dataset.ts"
import { readRows } from "../../datasets/read-rows.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { collect, usageError } from "./support.ts"

let folder = ""
beforeAll(async () => {
  folder = scratchDirectory()
  for (const name of ["data", "data.v2", "rows.csv", "empty"]) await mkdir(join(folder, name))
  await mkdir(join(folder, "data", "old.csv"))
  for (const name of ["b.jsonl", "a.CSV", "README.md", "eval.yaml"]) await writeFile(join(folder, "data", name), "")
  for (let i = 0; i < 8; i++) await writeFile(join(folder, "data.v2", `part-${i}.parquet`), "")
})

it("says that a data set is a folder, and which of its files could be meant", () => {
  expect(() => dataset("data", { baseDirectory: folder })).toThrow(
    `the data set is a folder, and one file is read: data; give the path of a file in it: ${join("data", "a.CSV")}, ${join("data", "b.jsonl")}, ${join("data", "eval.yaml")}`,
  )
})

it("lists five files at most, and says how many more there are", () => {
  expect(() => dataset("data.v2", { baseDirectory: folder })).toThrow(/part-0.*part-4\.parquet and 3 more$/)
})

it("says of a folder without data what it would read", () => {
  expect(() => dataset("empty", { baseDirectory: folder })).toThrow(/it holds no \.json, \.jsonl, \.csv/)
})

it("says the same of a folder whose name ends like a file's, and where a format is given", async () => {
  const named = await usageError(collect(dataset("rows.csv", { baseDirectory: folder }).samples()))
  expect(named.message).toContain("is a folder")
  const stated = await usageError(collect(readRows(join(folder, "data"), { format: "lines" })))
  expect(stated.message).toContain("give the path of a file in it")
})

it("thinks of a folder where nothing of that name lies here, and the path may be meant from elsewhere", () => {
  expect(() => dataset("elsewhere")).toThrow(/if it is a folder, give a file in it; else pass/)
})

it("says that there is nothing of that name where it knows the folder", () => {
  expect(() => dataset("elsewhere", { baseDirectory: folder })).toThrow(
    /there is no such data file: elsewhere; looked at/,
  )
})
