/** `npx server-auth doctor`: checks a configuration, its environment, and a running site. */
import type { Command } from './terminal.js'

/** The command `doctor`. */
export const doctor: Command = {
  summary: 'Looks for what is wrong',
  help: `Usage: npx server-auth doctor [--config <file>] [--env <file>] [--url <url>] [--offline] [--json]

Looks at the configuration, the environment, providers, the mail server, the database, and a running site, and says
what is wrong and what to do. It prints no secrets.

  --config <file>     The module that exports what defineAuth returns, or the configuration (default: auth.js, auth.ts,
                      src/auth.js …). It is loaded, so it should not start the server.
  --env <file>        Set variables of this file, such as .env, unless the environment has them already.
  --url <url>         The URL of the running site: asks it how requests arrive through its proxies, in a way that it
                      answers only to who has AUTH_SECRET.
  --offline           Send no requests, and query no databases.
  --json              For scripts: findings with ids that stay the same.

Exit code: 0 nothing is wrong, or there are warnings only; 1 something is; 2 it could not be looked at.`,
  async run(args) {
    // The other commands need none of its checks.
    const { runDoctor } = await import('./doctor/run.js')
    return runDoctor(args)
  },
}
