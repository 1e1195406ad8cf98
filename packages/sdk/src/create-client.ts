import { browser } from './adapters/browser.ts'
import { type Client, client } from './client/client.ts'
import type { ClientOptions } from './client/options.ts'

/**
 * A client of a Symbolon platform for one user at a time. It does nothing until it is used, so a server may create one while
 * it renders a page. Throws `TypeError` on a base URL or key that cannot be one.
 */
export function createClient(options: ClientOptions): Client {
  return client(options, browser())
}
