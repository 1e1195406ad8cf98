/**
 * The protocols others talk to agents by: A2A (`a2a`), MCP (`mcp`), and payments over HTTP (`x402`).
 * @module
 */
export type { A2aCaller, TaskRuns } from './a2a/a2a-ports.ts'
