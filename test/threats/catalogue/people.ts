/** Who somebody is: mailed links, passwords, accounts, passkeys, and what is somebody else's. */
import { absent, type ThreatGroup, tested } from './case.js'

export const mailedLinks: ThreatGroup = {
  title: 'Mailed links and codes',
  section: 'Mailed links',
  cases: [
    tested('EM-01', 'signs that become an at sign or a dot later'),
    tested('EM-02', 'signs that nobody sees'),
    tested('EM-04', 'a domain in letters that look alike'),
    tested('EM-05', 'quoted, commented and routed addresses'),
    tested('EM-06', 'more addresses than one'),
    tested('EM-08', 'scanners that open the link first'),
    tested('EM-09', 'a link that was used, is over, or is opened by somebody else'),
    tested('EM-10', 'the stored value as a link'),
    tested('EM-11', 'older links, and guessing codes'),
    tested('EM-12', 'markup in what a mail says'),
    tested('EM-13', 'line ends in what a mail is addressed with'),
    tested('EM-14', 'telling known from unknown addresses'),
    tested('EM-15', 'another host while asking for a link'),
    tested('EM-16', 'the URL of a link, told to other sites'),
    tested('EM-17', 'a flood of mails'),
    tested('EM-18', 'a link that a stranger asked for and the victim opens'),
    tested('EM-22', 'a stranger with the address who keeps its owner from signing in by a link'),
    tested('EM-23', 'a link from before all sessions ended, that lives longer than sessions'),
    tested('EM-20', 'a `signIn` callback that refuses before or after the mail'),
  ],
}

export const passwords: ThreatGroup = {
  title: 'Credentials',
  section: 'What clients say of themselves',
  cases: [
    tested('CD-01', 'the time that an unknown name takes'),
    tested('CD-02', 'telling an unknown name from a wrong password'),
    tested('CD-03', 'telling known from unknown addresses by sign-up or reset'),
    tested('CD-04', 'many guesses for one account, one guess for many'),
    tested('CD-05', 'guesses at once'),
    tested('CD-06', 'passwords that are long, cut short, or spelt in two ways'),
    tested('CD-07', 'stored hashes that are old or broken'),
    tested('CD-08', 'an `authorize` that returns what is no user, or never returns'),
    tested('CD-09', 'an `authorize` that throws'),
    tested('CD-10', 'a code with markup and line ends'),
    tested('CD-11', 'a password in the query'),
    tested('CD-12', 'a password in logs, events and forms'),
    tested('CD-13', 'fields that nobody declared'),
    tested('CD-14', 'a token that resets a password'),
    tested('CD-15', 'another password without the one before'),
    tested('CD-16', 'the time that a hash of another system takes'),
    tested('CD-17', 'a removed password that comes back'),
    tested('CD-18', 'a link of the attacker’s, opened while the form of the victim’s own link is open'),
  ],
}

export const accounts: ThreatGroup = {
  title: 'Accounts and addresses',
  section: 'Whose an address is',
  cases: [
    tested('LK-01', 'a stranger who signs up with the victim’s address first; the victim comes by a provider'),
    tested('LK-02', 'the same; the victim comes by a mailed link'),
    tested('LK-03', 'a provider that does not check addresses'),
    tested('LK-04', 'linking that begins in one session and ends in another'),
    tested('LK-06', 'an account that somebody else has'),
    tested('LK-07', 'the last way in, and another’s account, unlinked'),
    tested('LK-08', 'another’s address, by a change of address'),
    tested('LK-09', 'an address or a name that somebody had before'),
    tested('LK-10', 'dangerous linking that spills over'),
    tested('LK-12', 'an address in another case'),
    tested('LK-13', 'a stranger’s user that an import, an invitation or a reset would take over'),
    tested('LK-14', 'an id that a deleted user had, with what is left of them in other stores'),
  ],
}

export const passkeys: ThreatGroup = {
  title: 'Passkeys',
  section: 'Passkeys',
  cases: [
    tested('WA-01', 'an answer from another origin'),
    tested('WA-02', 'an answer for another relying party'),
    tested('WA-03', 'a challenge that is old, used, another’s, or of the other ceremony'),
    tested('WA-04', 'an answer of another type, or out of a frame'),
    tested('WA-05', 'nobody present, nobody verified, impossible flags'),
    tested('WA-06', 'a counter that does not rise'),
    tested('WA-07', 'answers that were changed, and garbage'),
    tested('WA-08', 'a user handle of somebody else'),
    tested('WA-10', 'a passkey for somebody else’s address'),
    tested('WA-11', 'telling which addresses have passkeys'),
    tested('WA-12', 'renaming and removing another’s passkey'),
    tested('WA-13', 'one answer many times at once'),
    tested('WA-14', 'what a user handle tells'),
  ],
}

export const authorization: ThreatGroup = {
  title: 'What is somebody else’s',
  section: 'What clients say of themselves',
  cases: [
    tested('AZ-01', 'the id of another user in a request'),
    tested('AZ-02', 'sessions, passkeys and accounts of somebody else'),
    absent('AZ-03', 'acting as somebody else', 'there is no administration and no impersonation'),
    absent('AZ-04', 'keys for programs', 'the library issues none'),
    absent('AZ-05', 'a guest who becomes a user', 'there are no guests: who is not signed in has no session'),
    absent('AZ-06', 'codes of devices', 'there is no device flow'),
    tested('AZ-07', 'claims of the engine, written by an update'),
    tested('AZ-08', 'forged sign-outs of a provider'),
    tested('AZ-09', 'a user of another tenant with the same id'),
  ],
}

export const limitsOfAttempts: ThreatGroup = {
  title: 'Rate limits',
  section: 'Guessing',
  cases: [
    tested('RL-01', 'more attempts than are allowed, by account and by client'),
    tested('RL-02', 'successes that refill what failures used up'),
    tested('RL-03', 'one bucket for everybody whose address is not known'),
    tested('RL-04', 'spellings of one address, and a whole network'),
    tested('RL-05', 'spellings of one path'),
    tested('RL-06', 'a store of limits that is away'),
    tested('RL-07', 'telling by a limit who has an account'),
    tested('RL-08', 'spellings that the application maps to one email address'),
  ],
}
