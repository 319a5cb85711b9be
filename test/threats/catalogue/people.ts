/** Authentication of users: email links, passwords, accounts, passkeys, and the data of other users. */
import { absent, type ThreatGroup, tested } from './case.js'

export const mailedLinks: ThreatGroup = {
  title: 'Email links and codes',
  section: 'Email links',
  cases: [
    tested('EM-01', 'characters that normalize to an at sign or a dot'),
    tested('EM-02', 'invisible characters'),
    tested('EM-04', 'a domain with look-alike letters'),
    tested('EM-05', 'quoted, commented and routed addresses'),
    tested('EM-06', 'more than one address'),
    tested('EM-08', 'scanners that open the link first'),
    tested('EM-09', 'a link that was used, has expired, or is opened by another user'),
    tested('EM-10', 'the stored value as a link'),
    tested('EM-11', 'older links, and guessing codes'),
    tested('EM-12', 'markup in an email'),
    tested('EM-13', 'line breaks in the headers of an email'),
    tested('EM-14', 'distinguishing known from unknown addresses'),
    tested('EM-15', 'another host in the request for a link'),
    tested('EM-16', 'the URL of a link, sent to other sites'),
    tested('EM-17', 'a flood of emails'),
    tested('EM-18', 'a link that a stranger requested and the victim opens'),
    tested('EM-22', 'a stranger who claims the address, to keep its owner from signing in by a link'),
    tested('EM-23', 'a link from before all sessions ended, with a longer lifetime than sessions'),
    tested('EM-20', 'a `signIn` callback that rejects before or after the email'),
  ],
}

export const passwords: ThreatGroup = {
  title: 'Credentials',
  section: 'Client-supplied values',
  cases: [
    tested('CD-01', 'the response time for an unknown name'),
    tested('CD-02', 'distinguishing an unknown name from a wrong password'),
    tested('CD-03', 'distinguishing known from unknown addresses by sign-up or reset'),
    tested('CD-04', 'many guesses for one account, one guess for many'),
    tested('CD-05', 'concurrent guesses'),
    tested('CD-06', 'passwords that are long, truncated, or in two encodings'),
    tested('CD-07', 'stored hashes that are old or broken'),
    tested('CD-08', 'an `authorize` that returns no valid user, or never returns'),
    tested('CD-09', 'an `authorize` that throws'),
    tested('CD-10', 'a code with markup and line ends'),
    tested('CD-11', 'a password in the query'),
    tested('CD-12', 'a password in logs, events and forms'),
    tested('CD-13', 'undeclared fields'),
    tested('CD-14', 'a token that resets a password'),
    tested('CD-15', 'a new password without the current one'),
    tested('CD-16', 'the response time for a hash of another system'),
    tested('CD-17', 'a removed password that reappears'),
    tested('CD-18', 'a link of the attacker’s, opened while the form of the victim’s own link is open'),
  ],
}

export const accounts: ThreatGroup = {
  title: 'Accounts and addresses',
  section: 'Email addresses and linking',
  cases: [
    tested('LK-01', 'a stranger who signs up with the victim’s address first; the victim uses a provider'),
    tested('LK-02', 'the same; the victim uses an email link'),
    tested('LK-03', 'a provider that does not verify addresses'),
    tested('LK-04', 'linking that begins in one session and ends in another'),
    tested('LK-06', 'an account of another user'),
    tested('LK-07', 'unlinking the last sign-in method, or another user’s account'),
    tested('LK-08', 'another user’s address, by a change of address'),
    tested('LK-09', 'an address or a name that another user had before'),
    tested('LK-10', 'dangerous linking that affects other providers'),
    tested('LK-12', 'an address in another case'),
    tested('LK-13', 'a stranger’s user that an import, an invitation or a reset would take over'),
    tested('LK-14', 'the id of a deleted user, with remaining records in other stores'),
  ],
}

export const deletions: ThreatGroup = {
  title: 'Deletion and export',
  section: 'Deleted users',
  cases: [
    tested('DL-01', 'data of a deleted user in a table or store'),
    tested('DL-02', 'a database that fails at any call of a deletion'),
    tested('DL-03', 'a process that is killed at any step, and several deletions at once'),
    tested('DL-04', 'a deletion that the application refuses or cannot decide, and one without a user or reason'),
    tested('DL-05', 'the next user of the email address'),
    tested('DL-06', 'sessions, sign-ins and links of a user who is deleted meanwhile'),
    tested('DL-07', 'tokens that stay valid at the provider, and a provider that fails or hangs'),
    tested('DL-08', 'secrets in an export'),
    tested('DL-09', 'a table that the deletion or the export forgets'),
    tested('DL-10', 'a configuration that cannot disable users, or has stores beside the adapter’s'),
    tested('DL-11', 'the audit log of a deleted user'),
    tested('DL-12', 'a deletion that another site causes, or another user at an unlocked screen'),
    tested('DL-13', 'a scheduled deletion after the user was enabled'),
    tested('DL-14', 'records that a sign-in under way writes after the deletion'),
  ],
}

export const passkeys: ThreatGroup = {
  title: 'Passkeys',
  section: 'Passkeys',
  cases: [
    tested('WA-01', 'an answer from another origin'),
    tested('WA-02', 'an answer for another relying party'),
    tested('WA-03', 'a challenge that is old, used, of another user, or of the other ceremony'),
    tested('WA-04', 'an answer of another type, or from a frame'),
    tested('WA-05', 'no user presence, no user verification, impossible flags'),
    tested('WA-06', 'a counter that does not rise'),
    tested('WA-07', 'changed answers, and garbage'),
    tested('WA-08', 'a user handle of another user'),
    tested('WA-10', 'a passkey for another user’s address'),
    tested('WA-11', 'finding out which addresses have passkeys'),
    tested('WA-12', 'renaming and removing another user’s passkey'),
    tested('WA-13', 'one answer many times at once'),
    tested('WA-14', 'what a user handle reveals'),
  ],
}

export const authorization: ThreatGroup = {
  title: 'Other users’ data',
  section: 'Client-supplied values',
  cases: [
    tested('AZ-01', 'the id of another user in a request'),
    tested('AZ-02', 'sessions, passkeys, accounts and API keys of another user'),
    tested('AZ-04', 'API keys: from a copy of the store, of another user, and to make keys'),
    absent('AZ-05', 'a guest who becomes a user', 'there are no guests: without a sign-in there is no session'),
    absent('AZ-06', 'device codes', 'there is no device flow: apps and command lines use a redirect (AP-01)'),
    tested('AZ-07', 'claims of the engine, written by an update'),
    tested('AZ-08', 'forged sign-outs of a provider'),
    tested('AZ-09', 'a user of another tenant with the same id'),
  ],
}

export const impersonation: ThreatGroup = {
  title: 'Sessions of other users',
  section: 'Impersonation',
  cases: [
    tested('AZ-03', 'beginning without the right; changing, reading secrets or staying in a session of another user'),
  ],
}

export const apps: ThreatGroup = {
  title: 'Native apps and command lines',
  section: 'Apps',
  cases: [
    tested('AP-01', 'a code with another verifier, app, redirect URL or tenant'),
    tested('AP-02', 'a code that is used twice: later, at once, in two servers, and while the first use is under way'),
    tested('AP-03', 'redirect URLs and parameters that no app of the site sends'),
    tested('AP-04', 'an approval that the user did not give: by a form or frame of another site, or for another user'),
    tested('AP-05', 'an approval in a session that may not make lasting changes, or has ended since'),
    tested('AP-06', 'a store of codes that fails, and a copy of it'),
  ],
}

export const organizations: ThreatGroup = {
  title: 'Organizations',
  section: 'Organizations',
  cases: [
    tested('OG-01', 'a role in a session, or an organization that a client or callback writes into it'),
    tested('OG-02', 'a member who was removed, in this process and in another'),
    tested('OG-03', 'an organization of others told from one that does not exist'),
    tested('OG-04', 'an id that is no id: a list, an object, spaces, a name of the prototype'),
    tested('OG-05', 'a membership function that throws, hangs or returns something else'),
    tested('OG-06', 'a guard with an undefined or misspelt organization, role or permission'),
    tested('OG-07', 'a role that the configuration does not have'),
    tested('OG-08', 'the active organization, chosen by another site or without membership'),
    tested('OG-09', 'the membership of another user, named by a callback'),
    tested('OG-10', 'an answer on its way while the member is removed'),
    tested('OG-11', 'names of organizations with markup'),
    tested('OG-12', 'a right that is asked for after a second factor'),
  ],
}

export const limitsOfAttempts: ThreatGroup = {
  title: 'Rate limits',
  section: 'Guessing',
  cases: [
    tested('RL-01', 'more attempts than allowed, by account and by client'),
    tested('RL-02', 'successes that reset failures'),
    tested('RL-03', 'one count for all clients with unknown address'),
    tested('RL-04', 'spellings of one address, and a whole network'),
    tested('RL-05', 'spellings of one path'),
    tested('RL-06', 'a store of limits that is down'),
    tested('RL-07', 'finding out by a limit who has an account'),
    tested('RL-08', 'spellings that the application maps to one email address'),
  ],
}
