/** Requests between tenants: values of another tenant, hosts, and tenants that cannot be loaded. */
import { type ThreatGroup, tested } from './case.js'

export const tenants: ThreatGroup = {
  title: 'Tenants',
  section: 'Tenants',
  cases: [
    tested('TN-01', 'a value of one tenant at another: cookies, tokens, links, codes, attempts, seals, hashes'),
    tested('TN-02', 'a record of one tenant, by the same key in the same database'),
    tested('TN-03', 'a host or path without a tenant, and ids with other characters'),
    tested('TN-04', 'spellings of a host, and malformed hosts'),
    tested('TN-05', 'a host that `key` accepts, and the configuration does not list'),
    tested('TN-06', 'another origin of the tenant, as the origin of links and redirect URIs'),
    tested('TN-07', 'a redirect to another tenant, also by the application’s callback'),
    tested('TN-08', 'many first requests at once'),
    tested('TN-09', 'a database of configurations that fails'),
    tested('TN-10', 'a configuration that would connect tenants, would lose options, or cannot work'),
    tested('TN-11', 'an old configuration, while the new one cannot be loaded'),
    tested('TN-12', 'a session of a removed tenant'),
    tested('TN-13', 'a changed configuration that is still in memory or being loaded'),
    tested('TN-14', 'unknown tenants without end, with long headers and paths'),
    tested('TN-15', 'used attempts and counts of a tenant that was evicted from memory'),
    tested('TN-16', 'an account of one tenant’s provider at another'),
    tested('TN-17', 'a function without a request, or before the tenant is known'),
    tested('TN-18', 'sessions and records of a user whom another tenant of the same database has deleted'),
    tested('TN-19', 'a session cookie that the site of another tenant sets for a common parent domain'),
  ],
}
