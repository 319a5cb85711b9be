import { readFile } from 'node:fs/promises'

const file = process.env.CUSTOMERS ?? new URL('customers.json', import.meta.url)

/** Reads all customers. Replace it with queries of your table, by host and by id. */
async function readCustomers() {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Returns the id of the customer with a host: your subdomain, or a domain of the customer. */
export async function idOf(host) {
  const customers = await readCustomers()
  return customers.find(({ origins }) => origins.some((origin) => new URL(origin).host === host))?.id ?? null
}

/** Returns a customer; `null` if there is none. */
export async function findCustomer(id) {
  return (await readCustomers()).find((customer) => customer.id === id) ?? null
}
