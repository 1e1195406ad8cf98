/** The protocol's library. */
export type McpSdk = typeof import('@modelcontextprotocol/server')

/** Loads the library with the first request that needs it: 10 MB of each process, and time at each start, that no other request does. */
export const mcpSdk = (): Promise<McpSdk> => import('@modelcontextprotocol/server')
