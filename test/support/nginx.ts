/** nginx in front of a test's application, as a process of its own on a free loopback port. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCertificate } from './certificates.js'
import { freePort } from './free-ports.js'
import { startProcess } from './own-process.js'

const program = '/usr/sbin/nginx'

/** Returns the reason why it cannot be started on this machine, or `undefined` if it can. */
export function missingNginx(): string | undefined {
  return existsSync(program) ? undefined : 'no nginx found: apt-get install nginx-light'
}

/** Starts it before a server, with the options that its manual has for a proxy. @param isTls With the certificate of the tests. */
export async function startNginx(
  upstream: string,
  isTls = false,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-nginx-'))
  const port = await freePort()
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const headers = ['X-Forwarded-For $proxy_add_x_forwarded_for', 'X-Forwarded-Proto $scheme', 'Host $http_host']
  const certificate = isTls ? writeCertificate(folder) : undefined
  writeFileSync(
    join(folder, 'conf'),
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${join(folder, 'pid')};
error_log stderr;
events {}
http {
  access_log off;
  ${places.join(' ')}
  server {
    listen 127.0.0.1:${port}${certificate ? ' ssl' : ''};
    ${certificate ? `ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};` : ''}
    location / {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      ${headers.map((header) => `proxy_set_header ${header};`).join(' ')}
    }
  }
}
`,
  )
  const { close } = await startProcess({ command: [program, '-c', join(folder, 'conf'), '-e', 'stderr'], port, folder })
  return { origin: isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`, close }
}
