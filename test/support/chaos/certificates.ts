/** A certificate of its own making, and its key: for tests on loopback, and for nothing else. */
export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

/** Of `localhost`, signed by itself: nobody trusts it. */
export const selfSigned: TestCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUeG2p/4sEJpdcN8cTWgxDfvhIbiAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA3NDI1OVoYDzIxMjYxMDI5
MDc0MjU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATmp/MRgJrtsFJ7DZ4zWhwYNxIPCpLNmUqcz1Hcc1vggTYYY6YrgHib
+55qFDlhcTGOS6rjFN6C2Mv7kmLUSZT3o2kwZzAdBgNVHQ4EFgQU5xeeyaxuKPmV
8TjT4N9Jgstqr6swHwYDVR0jBBgwFoAU5xeeyaxuKPmV8TjT4N9Jgstqr6swDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgPndsTvFl3CYAQ9OFI8UpG9EbkIwmHCJzleyqUP5Egw8CIQDwd2GzG5rC
3YzJ4uIxf0WR2nDisYpA/VdLwW4CDGm4Zg==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgARwWAO+3uLcdcFQx
7okzSQSDYupIQ3iZCPHf+Wu+lpKhRANCAATmp/MRgJrtsFJ7DZ4zWhwYNxIPCpLN
mUqcz1Hcc1vggTYYY6YrgHib+55qFDlhcTGOS6rjFN6C2Mv7kmLUSZT3
-----END PRIVATE KEY-----`,
}

/** Of another host. Who trusts it finds that it is not that of the host which was asked. */
export const ofAnotherHost: TestCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUU9G8S+wrhKlVXKq9NHAw7QOM11owCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRZWxzZXdoZXJlLmV4YW1wbGUwIBcNMjYxMTIyMDc0MjU5WhgP
MjEyNjEwMjkwNzQyNTlaMBwxGjAYBgNVBAMMEWVsc2V3aGVyZS5leGFtcGxlMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWCMKy4vQTus5TwDnc+8kLq7dWJhduclK
RlyjG206lJAav8JjrbP5y9ZZ+I8iUadZspXLJYDjW7jfR6sumJIcjqNxMG8wHQYD
VR0OBBYEFJ94cN4HYafJ6z6a7YeHndLsUOnXMB8GA1UdIwQYMBaAFJ94cN4HYafJ
6z6a7YeHndLsUOnXMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRZWxzZXdo
ZXJlLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhAL34B+dTrZHwGVSXqksKr3kH
ZtJ8GR/WVW/O01XxLUY0AiAI7/0libA5PpQ0Va64MJOSfgj1dhSj8L+dTSgwM2W8
bQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXMLjTdCHJr6gEPvw
4dq8RrT0Nd50bgrclWJWaaQmR+GhRANCAARYIwrLi9BO6zlPAOdz7yQurt1YmF25
yUpGXKMbbTqUkBq/wmOts/nL1ln4jyJRp1mylcslgONbuN9Hqy6YkhyO
-----END PRIVATE KEY-----`,
}
