/**
 * Certificates of the tests, for `localhost` and for clients, in PEM form, good for a hundred years: they prove nothing outside of them. Made
 * with openssl: a key on P-256 each (`ecparam -name prime256v1`, `pkcs8 -topk8`), signed by one authority, whose key is thrown away.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const authority = `-----BEGIN CERTIFICATE-----
MIIBkDCCATWgAwIBAgIUNhGDYH9PWT60w6+o3gchKmrDs+MwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRc2VydmVyLWF1dGggdGVzdHMwIBcNMjYxMTIzMDYxMDQ5WhgP
MjEyNjEwMzAwNjEwNDlaMBwxGjAYBgNVBAMMEXNlcnZlci1hdXRoIHRlc3RzMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEDjN8rSpX1zllzFmreYXlupo2Q8FQ9Nvh
48cIOwfTByFSv2lvdT9mEMazab5/P0pO6rJ0mz1GoyvzgLn00tVF5aNTMFEwHQYD
VR0OBBYEFBl6wA3fJJ84P7ZkUJhMB/CAZjdJMB8GA1UdIwQYMBaAFBl6wA3fJJ84
P7ZkUJhMB/CAZjdJMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIh
AKRS4W1hmyllCPNKRjR36GiwLRI1ww5sZ/G3hRoxloy1AiEAuScB570AzcHFg0pM
MXM9nN5FaeNVSc1zeqpQI1Zlme0=
-----END CERTIFICATE-----
`

/** For `localhost` and 127.0.0.1. */
export const serverCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBkjCCATigAwIBAgIUPfX9i/5d3p9V4qxokYE4cnGAqogwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRc2VydmVyLWF1dGggdGVzdHMwIBcNMjYxMTIzMDYxMDQ5WhgP
MjEyNjEwMzAwNjEwNDlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABH7+7ZRxfPIGzgF0aBIVylc5t/hhgFKrPEZKVxW1IN3y
IV46Qgi2ERXhh7o/k0A8Y5eFYDLA5FTdPq34QeILkRyjXjBcMBoGA1UdEQQTMBGC
CWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUM8RorNDXDpcWWlR9Pc6rBTu4iykw
HwYDVR0jBBgwFoAUGXrADd8knzg/tmRQmEwH8IBmN0kwCgYIKoZIzj0EAwIDSAAw
RQIgC8fBH4wGBLY87uuwWYwvtN7bZ1M51YuiWSEVR64B2d0CIQCPxz/o/zWLv1PB
mHdWRCCNo/MKWMKY3Xrtss1T02YCEg==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZbkNU3ZehWcw7H2z
B52UzG1mO/kJ6BG+3PQbj/10auOhRANCAAR+/u2UcXzyBs4BdGgSFcpXObf4YYBS
qzxGSlcVtSDd8iFeOkIIthEV4Ye6P5NAPGOXhWAywORU3T6t+EHiC5Ec
-----END PRIVATE KEY-----
`,
}

/** The application’s. Its subject is `CN=client of the tests`. */
export const clientCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBNTCB3QIUPfX9i/5d3p9V4qxokYE4cnGAqokwCgYIKoZIzj0EAwIwHDEaMBgG
A1UEAwwRc2VydmVyLWF1dGggdGVzdHMwIBcNMjYxMTIzMDYxMDQ5WhgPMjEyNjEw
MzAwNjEwNDlaMB4xHDAaBgNVBAMME2NsaWVudCBvZiB0aGUgdGVzdHMwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQ9Pe1VC+9LZ4wbH1E8VKhCsXvHW/jxNe/Gw3GI
42F1TjPMquKivT+6WCfXWak5gl+KYjivUeSVSIk0EGEBxFTUMAoGCCqGSM49BAMC
A0cAMEQCIDyDZMasWB/CzmqlpCEXTj7eJao0J4Dxo67PjckeztVoAiAZ/tcaj/dx
aB/4K2BNpjBpbGbGG030TxBN8jDpFDVByA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4bPDFvmkfsNmZH1o
RepxjeEjM+AQehaJTJ8qTETGEVyhRANCAAQ9Pe1VC+9LZ4wbH1E8VKhCsXvHW/jx
Ne/Gw3GI42F1TjPMquKivT+6WCfXWak5gl+KYjivUeSVSIk0EGEBxFTU
-----END PRIVATE KEY-----
`,
}

/** The certificate of another client. */
export const otherCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBNjCB3AIUPfX9i/5d3p9V4qxokYE4cnGAqoowCgYIKoZIzj0EAwIwHDEaMBgG
A1UEAwwRc2VydmVyLWF1dGggdGVzdHMwIBcNMjYxMTIzMDYxMDQ5WhgPMjEyNjEw
MzAwNjEwNDlaMB0xGzAZBgNVBAMMEm90aGVyIG9mIHRoZSB0ZXN0czBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABJvs3VYmqogKH/VeB+cjGafnb9I1SbvbqDjzPxt0
NJNK03aITvRrkAa8BUZKRF/Ip2ax5wPrX2tRBC6m5Qu+y0UwCgYIKoZIzj0EAwID
SQAwRgIhAO4M/5scO8bjzWr7BfaOf3WXgY0azTBbazQClZJz2ZA2AiEA7fSAU7U2
yJ/4KqVeMyl3NMZBbj2q1IdEUnRWKL1vBsg=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLfo/pUGn/58l34eB
zkyn+Td8TmsUElXfxdbtxCgIGe6hRANCAASb7N1WJqqICh/1XgfnIxmn52/SNUm7
26g48z8bdDSTStN2iE70a5AGvAVGSkRfyKdmsecD619rUQQupuULvstF
-----END PRIVATE KEY-----
`,
}

/** The certificate of `localhost` and its key, as files in a folder; `ca` is the authority's, for NODE_EXTRA_CA_CERTS. */
export function writeCertificate(folder: string): { readonly cert: string; readonly key: string; readonly ca: string } {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), ca: join(folder, 'ca.pem') }
  writeFileSync(files.cert, serverCertificate.cert)
  writeFileSync(files.key, serverCertificate.key, { mode: 0o600 })
  writeFileSync(files.ca, authority)
  return files
}
