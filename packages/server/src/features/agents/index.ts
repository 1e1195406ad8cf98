/**
 * Agents: who they are (`registry`), their sessions and policies (`sessions`), their signatures and transactions (`signing`), and what they do on
 * their own: `runs`, `tools`, `hooks`.
 * @module
 */
export { callerName, type RunCaller } from './runs/agent-run.ts'
export { answerRun, cancelRun, type RunsCtx, startRun } from './runs/agent-runs.ts'
export { agentSign } from './signing/agent-sign.ts'
export { recordEnded } from './signing/failed-requests.ts'
export type { SigningCtx } from './signing/signing-ctx.ts'
export {
  type AgentTool,
  agentTool,
  payingHints,
  type ToolCall,
  type ToolContext,
  type ToolRefusal,
} from './tools/agent-tool.ts'
export {
  type AgentTools,
  callTool,
  holderOf,
  isPassing,
  signingOf,
  type UsableTool,
  usableTools,
} from './tools/agent-tools.ts'
export { payingChains, type ToolHolder } from './tools/tool-holder.ts'
