/**
 * Agents: who they are (`registry`), their sessions and policies (`sessions`), their signatures and transactions (`signing`), and what they do on
 * their own: `runs`, `tools`, `hooks`.
 * @module
 */
export type { AgentSigning } from './signing/agent-signing.ts'
export type { AgentTool, ToolContext } from './tools/agent-tool.ts'
export type { AgentTools } from './tools/agent-tools.ts'
