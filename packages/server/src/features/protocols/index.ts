/**
 * The protocols that others talk to agents by: A2A (`a2a`), MCP (`mcp`), and payments over HTTP (`x402`).
 * @module
 */
export { payTool } from './x402/pay.ts'
