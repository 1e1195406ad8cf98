import { browser } from './adapters/browser.ts'
import { type Client, client } from './client/client.ts'
import type { ClientOptions } from './client/options.ts'

/**
 * Creates a client of a Symbolon platform, for one user at a time. It does nothing until you use it, so a server can create
 * one while it renders a page. Throws `TypeError` if the base URL or the key is malformed.
 */
export function createClient(options: ClientOptions): Client {
  return client((options as ClientOptions | undefined) ?? ({} as ClientOptions), browser())
}
