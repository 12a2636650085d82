import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** Files of an authority of the tests, and of a server on loopback that it vouches for. */
export interface Certificates {
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

/** Whether OpenSSL's command is installed. */
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0

if (!hasOpenssl) console.warn("OpenSSL is not installed: the tests of TLS are skipped")

/** Makes an authority and a server's certificate for 127.0.0.1, valid for a day. */
export function makeCertificates(folder: string): Certificates {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "1",
    "-subj",
    "/CN=authority of the tests",
  )
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1")
  writeFileSync(at("names"), "subjectAltName=IP:127.0.0.1\n")
  const signs = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1", "-extfile", "names"]
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signs)
  return { authority: at("ca.pem"), certificate: at("server.pem"), key: at("server.key") }
}
