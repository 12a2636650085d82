import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { userCacheDirectory } from "../../src/platform/user-cache-directory.ts"

describe("userCacheDirectory", () => {
  it("is what EVALKIT_CACHE_DIR says, whatever else is set", () => {
    const environment = { EVALKIT_CACHE_DIR: "/kept/here", XDG_CACHE_HOME: "/xdg", LOCALAPPDATA: "/local" }
    for (const platform of ["linux", "darwin", "win32"])
      expect(userCacheDirectory(environment, platform)).toBe("/kept/here")
  })

  it("is a whole path, also when EVALKIT_CACHE_DIR is relative", () => {
    expect(userCacheDirectory({ EVALKIT_CACHE_DIR: "cache" })).toBe(join(process.cwd(), "cache"))
  })

  it("lies in the folder that the system keeps caches in", () => {
    expect(userCacheDirectory({ XDG_CACHE_HOME: "/xdg" }, "linux")).toBe("/xdg/evalkit")
    expect(userCacheDirectory({ LOCALAPPDATA: "/local" }, "win32")).toBe("/local/evalkit")
    expect(userCacheDirectory({}, "darwin")).toBe(join(homedir(), "Library", "Caches", "evalkit"))
    expect(userCacheDirectory({ LOCALAPPDATA: "/local" }, "linux")).toBe(join(homedir(), ".cache", "evalkit"))
  })
})
