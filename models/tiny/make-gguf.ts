import { exportGguf } from "./export-gguf.ts"

for (const name of ["m", "s"]) {
  const { path, bytes, sha256 } = await exportGguf("models/tiny/build", name, `models/tiny/tiny-${name}-f16.gguf`)
  console.log(path, bytes, sha256)
}
