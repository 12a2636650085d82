import { describe, expect, it } from "vitest"
import { readOrigin, writeHead } from "../../../src/capture/wire/request-head.ts"
import { WireError } from "../../../src/capture/wire/wire-error.ts"

const origin = readOrigin("http://127.0.0.1:8080")
const request = {
  method: "POST",
  path: "/v1/chat?a=b",
  headers: { Accept: "*/*", "x-key": "gr\u00fc\u00df dich\t" },
} as const

describe("writeHead", () => {
  it("writes the request line, the host and the fields", () => {
    expect(writeHead(request, origin)).toBe(
      "POST /v1/chat?a=b HTTP/1.1\r\nhost: 127.0.0.1:8080\r\nconnection: keep-alive\r\nAccept: */*\r\nx-key: grüß dich\t\r\n",
    )
  })

  it("lets the caller name the host, once", () => {
    const head = writeHead({ ...request, headers: { Host: "other" } }, origin)
    expect(head.match(/host:/gi)).toHaveLength(1)
    expect(head).toContain("Host: other\r\n")
  })

  it.each([
    ["a path with a new line", { path: "/a HTTP/1.1\r\nx: y" }],
    ["a path with a space", { path: "/a b" }],
    ["a path that is an address", { path: "http://elsewhere/" }],
    ["a path beyond Latin-1", { path: "/\u0101" }],
    ["a value with a new line", { headers: { a: "b\r\nc: d" } }],
    ["a value with a line feed", { headers: { a: "b\nc" } }],
    ["a value with a zero byte", { headers: { a: "b\0" } }],
    ["a value beyond Latin-1", { headers: { a: "\u010a" } }],
    ["a name with a colon", { headers: { "a:b": "c" } }],
    ["a name with a new line", { headers: { "a\r\nb": "c" } }],
    ["an empty name", { headers: { "": "c" } }],
    ["a length of the caller's", { headers: { "Content-Length": "5" } }],
    ["a coding of the caller's", { headers: { "transfer-encoding": "chunked" } }],
    ["an upgrade", { headers: { upgrade: "websocket" } }],
  ])("refuses %s", (_, change) => {
    expect(() => writeHead({ ...request, ...change }, origin)).toThrow(WireError)
  })
})

describe("readOrigin", () => {
  it.each([
    ["http://a.example", { isTls: false, host: "a.example", port: 80, authority: "a.example" }],
    ["https://a.example", { isTls: true, host: "a.example", port: 443, authority: "a.example" }],
    ["http://[::1]:81", { isTls: false, host: "::1", port: 81, authority: "[::1]:81" }],
  ])("reads %s", (text, expected) => expect(readOrigin(text)).toMatchObject(expected))
})
