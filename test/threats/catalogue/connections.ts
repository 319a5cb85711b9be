/** Identity providers of organizations, which strangers can set up. */
import { type ThreatGroup, tested } from './case.js'

export const connections: ThreatGroup = {
  title: 'Connections',
  section: 'Connections',
  cases: [
    tested('CN-01', 'URLs of a customer that lead to this machine or its network, in all spellings'),
    tested('CN-02', 'names with a private address, and answers of DNS that change'),
    tested('CN-03', 'redirects, long and compressed responses of a customer’s server'),
    tested('CN-04', 'the address or subject of another user, stated by an identity provider'),
    tested('CN-05', 'an answer of one connection at another one'),
    tested('CN-06', 'another sign-in method, although the connection is required'),
    tested('CN-07', 'a policy that cannot be read'),
    tested('CN-08', 'the domain of another organization, by its record, an alias or a sale'),
    tested('CN-09', 'functions called by strangers, members without the right, and owners of other organizations'),
    tested('CN-10', 'guards, in sessions that no required connection has confirmed'),
    tested('CN-11', 'sign-ins that an identity provider, or a stranger in its name, begins'),
    tested('CN-12', 'a required connection that locks the organization out'),
    tested('CN-13', 'issuers for the users of several companies, and of private networks'),
    tested('CN-14', 'memberships and roles that a connection may not give'),
    tested('CN-15', 'sessions and accounts of a connection that was deleted'),
  ],
}
